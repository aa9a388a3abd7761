// No launch in view: the block size is assumed, so this is no more than information.
#include <hip/hip_runtime.h>

// expect-next-line: RP105 info @17 "assuming 256 threads a block (no launch in view), `stage` fills at most"
__global__ void stage(const float* a, float* b) {
  __shared__ float s[11520];
  for (int k = threadIdx.x; k < 11520; k += 256) s[k] = a[blockIdx.x * 11520 + k];
  __syncthreads();
  b[blockIdx.x * 256 + threadIdx.x] = s[11520 - 1 - threadIdx.x];
}


