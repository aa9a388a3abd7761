// Small factors, a tile of the thread's own, and what RP501 is about.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) sums(const float* __restrict__ a, float* __restrict__ b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
#pragma unroll 4
  for (int k = 0; k < m; ++k) s += a[k * n + i];
  float tile[16];
#pragma unroll 16
  for (int k = 0; k < 16; ++k) tile[k] = a[k * m + i];
#pragma unroll 16
  for (int k = 0; k < 16; ++k) s = s * tile[k] + tile[15 - k];
#pragma unroll
  for (int k = 0; k < 16; ++k) s += a[k * n + i + m];
  b[i] = s;
}
