// A register tile that is accumulated into at constant indices fills the registers on purpose.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) tile(const float* a, const float* b, float* c, int depth, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[8][8];
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int q = 0; q < 8; ++q) sum[r][q] = 0.0f;
  for (int k = 0; k < depth; ++k) {
    float left[8], right[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) left[r] = a[(k * 8 + r) * n + i];
#pragma unroll
    for (int q = 0; q < 8; ++q) right[q] = b[(k * 8 + q) * n + i];
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
      for (int q = 0; q < 8; ++q) sum[r][q] += left[r] * right[q];
  }
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int q = 0; q < 8; ++q) c[(r * 8 + q) * n + i] = sum[r][q];
}

void run(const float* a, const float* b, float* c, int depth, int n) { tile<<<n / 256, 256>>>(a, b, c, depth, n); }
