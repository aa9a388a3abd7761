// Numbers that mean the same, or were chosen for HIP.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256, 4) same(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

__global__ void __launch_bounds__(128, 1) one(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

__global__ void __launch_bounds__(128) alone(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

#define MIN_WAVES_PER_EU 8
__global__ void __launch_bounds__(128, MIN_WAVES_PER_EU) waves(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

#ifdef __HIP_PLATFORM_AMD__
#define SUMS_MIN_BLOCKS 4  // waves per SIMD
#else
#define SUMS_MIN_BLOCKS 8  // blocks per multiprocessor
#endif
__global__ void __launch_bounds__(128, SUMS_MIN_BLOCKS) sums(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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
