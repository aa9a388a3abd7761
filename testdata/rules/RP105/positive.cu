// One small block has most of the local memory of a unit.
#include <cuda_runtime.h>

// expect-next-line: RP105 info @39 "limited by LDS (46,080 bytes per block)" "waves per SIMD would fit"
__global__ void __launch_bounds__(64) stage(const float* a, float* b) {
  __shared__ float s[11520];
  for (int k = threadIdx.x; k < 11520; k += 64) s[k] = a[blockIdx.x * 11520 + k];
  __syncthreads();
  b[blockIdx.x * 64 + threadIdx.x] = s[11520 - 1 - threadIdx.x];
}

void run(const float* a, float* b, int n) { stage<<<n, 64>>>(a, b); }
