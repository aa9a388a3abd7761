// Several launches: one good size is enough, and a size that is not in view may be one.
#include <cuda_runtime.h>

__global__ void good(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void open(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void bad(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, int n, int threads) {
  good<<<n, 256>>>(a, b, n);
  good<<<n, 100>>>(a, b, n);
  open<<<n, threads>>>(a, b, n);
  open<<<n, 100>>>(a, b, n);  // expect: RP106 info @13 "28 of the 128 lanes"
  bad<<<n, 48>>>(a, b, n);
  bad<<<n, 100>>>(a, b, n);  // expect: RP106 warning @12 "launched with 100 threads" "(22%)"
}
