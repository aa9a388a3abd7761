// targets: gfx1100
// launch: block=64
// Waves of 32: 12 blocks of 64 threads are 6 waves per SIMD.
__global__ void __launch_bounds__(64, 12) rdna_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[72];
#pragma unroll
  for (int k = 0; k < 72; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 72; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 72; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(64, 6) rdna_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[72];
#pragma unroll
  for (int k = 0; k < 72; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 72; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 72; ++k) b[k * n + i] = s[k];
}

// Below the cap of 120.
__global__ void __launch_bounds__(64, 12) rdna_few_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

__global__ void __launch_bounds__(64, 6) rdna_few_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

