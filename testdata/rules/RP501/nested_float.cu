// 256 copies over floats take 32 registers with nvcc 13.0.88, as many as without the pragma: a hint.
#include <cuda_runtime.h>

__global__ __launch_bounds__(256) void compare(const float* __restrict__ left,
                                               const float* __restrict__ right,
                                               float* __restrict__ match, float decay, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float score = 0.0f;
  // expect-next-line: RP501 hint @1 "256 copies of the inner body (16 x 16)"
#pragma unroll
  for (int row = 0; row < 16; ++row) {
#pragma unroll
    for (int column = 0; column < 16; ++column) {
      const float difference = left[row * n + i] - right[column * n + i];
      score = score * decay + difference * difference;
    }
  }
  match[i] = score;
}

void run(const float* left, const float* right, float* match, float decay, int n) {
  compare<<<n / 256, 256>>>(left, right, match, decay, n);
}
