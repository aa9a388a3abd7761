// One block beside 200 KB of LDS: the registers of 256 copies are free.
#include <cuda_runtime.h>

__global__ __launch_bounds__(256) void compare(const double* __restrict__ left,
                                               const double* __restrict__ right,
                                               double* __restrict__ match, double decay, int n) {
  extern __shared__ double tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double score = 0.0;
  // expect-next-line: RP501 hint @1 "256 copies of the inner body (16 x 16)"
#pragma unroll
  for (int row = 0; row < 16; ++row) {
#pragma unroll
    for (int column = 0; column < 16; ++column) {
      const double difference = left[row * n + i] - tile[row] * right[column * n + i];
      score = score * decay + difference * difference;
    }
  }
  match[i] = score;
}

void run(const double* left, const double* right, double* match, double decay, int n) {
  compare<<<n / 256, 256, 200 * 1024>>>(left, right, match, decay, n);
}
