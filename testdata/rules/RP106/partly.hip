// A smaller share of idle lanes: information, and a hint below 5 %.
#include <hip/hip_runtime.h>

__global__ void sixth(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void few(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, int n) {
  sixth<<<n, 160>>>(a, b, n);  // expect: RP106 info @14 "32 of the 192 lanes of its 3 waves of 64 are idle on gfx90a (17%)"
  few<<<n, 250>>>(a, b, n);    // expect: RP106 hint @12 "6 of the 256 lanes"
}
