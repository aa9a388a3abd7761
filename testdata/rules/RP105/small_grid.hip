// A grid of 64 blocks gives most units of a large GPU one block at most: whether two would fit makes no difference.
#include <hip/hip_runtime.h>

// expect-next-line: RP105 hint
__global__ void __launch_bounds__(64) stage(const float* a, float* b) {
  __shared__ float s[11520];
  for (int k = threadIdx.x; k < 11520; k += 64) s[k] = a[blockIdx.x * 11520 + k];
  __syncthreads();
  b[blockIdx.x * 64 + threadIdx.x] = s[11520 - 1 - threadIdx.x];
}

void run(const float* a, float* b) {
  dim3 grid(8, 8);
  stage<<<grid, 64>>>(a, b);
}
