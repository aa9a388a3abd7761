// 16 floats are what registers are for.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) sort_row(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float row[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) row[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 16; k += 2) {
    const float low = row[k] < row[k + 1] ? row[k] : row[k + 1];
    const float high = row[k] < row[k + 1] ? row[k + 1] : row[k];
    row[k] = low;
    row[k + 1] = high;
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) b[k * n + i] = row[k];
}

void run(const float* a, float* b, int n) { sort_row<<<n / 256, 256>>>(a, b, n); }
