// The EmPRiSM sprint's case on MI250X: 24 KB for 256 threads fill exactly a quarter of a CU.
#include <hip/hip_runtime.h>

// expect-next-line: RP105 info @17 "at most 8 of 32 wave slots of a CU on gfx90a (25%)" "limited by LDS (24,576 bytes"
__global__ void clover(const float* a, float* b) {
  __shared__ float s[6144];
  for (int k = threadIdx.x; k < 6144; k += 256) s[k] = a[blockIdx.x * 6144 + k];
  __syncthreads();
  b[blockIdx.x * 256 + threadIdx.x] = s[6144 - 1 - threadIdx.x];
}

// One block more: three of eight.
__global__ void smaller(const float* a, float* b) {
  __shared__ float s[5120];
  for (int k = threadIdx.x; k < 5120; k += 256) s[k] = a[blockIdx.x * 5120 + k];
  __syncthreads();
  b[blockIdx.x * 256 + threadIdx.x] = s[5120 - 1 - threadIdx.x];
}

void run(const float* a, float* b, int n) {
  clover<<<n, 256>>>(a, b);
  smaller<<<n, 256>>>(a, b);
}
