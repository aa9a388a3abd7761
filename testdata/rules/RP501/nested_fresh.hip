// Copies that load nothing twice: a window and its weights (clang: 84 VGPRs and not 18 on gfx90a), or one element.
#include <hip/hip_runtime.h>

__global__ __launch_bounds__(256) void filtered(const double* __restrict__ a, const double* __restrict__ weights,
                                                double* __restrict__ b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.0;
  // expect-next-line: RP501 info @1 "1,024 copies of the inner body (32 x 32)"
#pragma unroll
  for (int row = 0; row < 32; ++row) {
#pragma unroll
    for (int column = 0; column < 32; ++column) {
      const double weight = weights[row * 32 + column];
      sum += a[i + row * n + column] * weight;
    }
  }
  b[i] = sum;
}

__global__ __launch_bounds__(256) void smoothed(const double* __restrict__ a, double* __restrict__ b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.0;
  // expect-next-line: RP501 hint @1 "1,024 copies of the inner body (32 x 32)"
#pragma unroll
  for (int row = 0; row < 32; ++row) {
#pragma unroll
    for (int column = 0; column < 32; ++column) sum = 0.5 * sum + a[i + row * n + column];
  }
  b[i] = sum;
}
