// No launch in view: nothing is assumed, the sizes for which it holds are named.
#include <hip/hip_runtime.h>

// expect-next-line: RP105 info @17 "`stage` fills no more than 25% of the wave slots of a CU on gfx90a with blocks of up to 512 threads (no visible launch): limited by LDS (46,080 bytes per block)"
__global__ void stage(const float* a, float* b) {
  __shared__ float s[11520];
  for (int k = threadIdx.x; k < 11520; k += blockDim.x) s[k] = a[blockIdx.x * 11520 + k];
  __syncthreads();
  b[blockIdx.x * blockDim.x + threadIdx.x] = s[11520 - 1 - threadIdx.x];
}

// With 1,024 threads this fills half of the slots, with 256 three eighths: the launch decides, and is not in view.
__global__ void small(const float* a, float* b) {
  __shared__ float s[5000];
  for (int k = threadIdx.x; k < 5000; k += blockDim.x) s[k] = a[blockIdx.x * 5000 + k];
  __syncthreads();
  b[blockIdx.x * blockDim.x + threadIdx.x] = s[5000 - 1 - threadIdx.x];
}
