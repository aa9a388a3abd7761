// Blurs strips of 8 rows across the columns of a block, staged in 8 KiB of local memory.
// launch: block=256 dynamic_lds=0
#include <hip/hip_runtime.h>

constexpr int kRows = 8;
constexpr int kThreads = 256;
constexpr int kReach = 3;

__global__ __launch_bounds__(kThreads) void blur_strip(const float* image, const float* taper, float* blurred,
                                                      int columns) {
  __shared__ float strip[kRows][kThreads];
  const int lane = threadIdx.x;
  const int column = blockIdx.x * kThreads + lane;
#pragma unroll 4
  for (int row = 0; row < kRows; ++row) strip[row][lane] = image[row * columns + column];
  __syncthreads();
#pragma unroll 1
  for (int row = 0; row < kRows; ++row) {
    float sum = 0.0f;
    for (int shift = -kReach; shift <= kReach; ++shift) {
      const int from = min(max(lane + shift, 0), kThreads - 1);
      sum += taper[shift + kReach] * strip[row][from];
    }
    blurred[row * columns + column] = sum;
  }
}

void blur(const float* image, const float* taper, float* blurred, int columns, hipStream_t stream) {
  blur_strip<<<columns / kThreads, kThreads, 0, stream>>>(image, taper, blurred, columns);
}
