// known miss: tiny sm_90: few real kernels with an estimate below 30 lose warps
// known miss: small sm_90: by the estimate more than half of the warps remain
// known miss: crowded sm_90: of 11 real kernels with more than 64 registers 3 lost warps
// A second argument of 1 lets nvcc take more registers than it would.
// time: tiny threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(256, 1) tiny_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 4; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) tiny_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 4; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) b[k * n + i] = s[k];
}

// time: small threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(256, 1) small_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 16; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) small_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 16; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) b[k * n + i] = s[k];
}

// time: loosened threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(256, 1) loosened_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[24];
#pragma unroll
  for (int k = 0; k < 24; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 24; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 24; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) loosened_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[24];
#pragma unroll
  for (int k = 0; k < 24; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 24; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 24; ++k) b[k * n + i] = s[k];
}

// time: crowded threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(256, 1) crowded_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) crowded_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + i] = s[k];
}

