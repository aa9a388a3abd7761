// targets: gfx90a, gfx1100, sm_90
// Eight blocks or waves that few registers allow.
// time: few threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(256, 8) few_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 8; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) few_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 8; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) b[k * n + i] = s[k];
}

// time: many threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(256, 8) many_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 48; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 48; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) many_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 48; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 48; ++k) b[k * n + i] = s[k];
}

// Two blocks of 1,024 threads leave 32 registers.
// time: two threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(1024, 2) two_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 32; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 32; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) two_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 32; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 32; ++k) b[k * n + i] = s[k];
}

// More than there are: the request is dropped.
// time: dropped threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(256, 20) dropped_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 32; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 32; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) dropped_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 32; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 32; ++k) b[k * n + i] = s[k];
}

// A request that the kernel meets anyway.
// time: met threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(256, 3) met_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

__global__ void __launch_bounds__(256) met_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

