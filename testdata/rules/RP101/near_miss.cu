// nvcc assumes no block size: it needs no bound.
#include <cuda_runtime.h>

__global__ void moments(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[24];
#pragma unroll
  for (int k = 0; k < 24; ++k) s[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 24; ++k) b[k * n + i] = s[k] * s[24 - 1 - k];
}

void run(const double* a, double* b, int n) { moments<<<n / 256, 256>>>(a, b, n); }
