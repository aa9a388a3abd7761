// targets: gfx906
// Blocks of more than one wave: 16 on a CU, so that two waves each fill 32 of 40 slots. 384 threads fill 36.
#include <hip/hip_runtime.h>

__global__ void a128(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void a384(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void a320(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void a64(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, int n) {
  a128<<<n, 128>>>(a, b, n);  // expect: RP106 info @13 "16 blocks fill 32 of 40 wave slots of a CU on gfx906 (limited by barriers), blocks of 256 would fill 40"
  a384<<<n, 384>>>(a, b, n);  // expect: RP106 info @13 "6 blocks fill 36 of 40 wave slots of a CU on gfx906" "blocks of 256 would fill 40"
  a320<<<n, 320>>>(a, b, n);
  a64<<<n, 64>>>(a, b, n);
}
