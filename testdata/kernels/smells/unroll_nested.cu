// Compares 16 samples with 16 others; both loops are fully unrolled, 256 copies of the body.
// launch: block=256 dynamic_lds=0
#include <cuda_runtime.h>

constexpr int kSamples = 16;

__global__ __launch_bounds__(256) void compare_samples(const double* __restrict__ left,
                                                       const double* __restrict__ right, double* __restrict__ match,
                                                       double decay, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double score = 0.0;
  // expect-next-line: RP501 hint @1 "256"
#pragma unroll
  for (int row = 0; row < kSamples; ++row) {
#pragma unroll
    for (int column = 0; column < kSamples; ++column) {
      const double difference = left[row * n + i] - right[column * n + i];
      score = score * decay + difference * difference;
    }
  }
  match[i] = score;
}

void compare_all(const double* __restrict__ left, const double* __restrict__ right, double* __restrict__ match,
                 double decay, int n, cudaStream_t stream) {
  compare_samples<<<(n + 255) / 256, 256, 0, stream>>>(left, right, match, decay, n);
}
