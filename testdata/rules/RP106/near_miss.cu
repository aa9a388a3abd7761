// Sizes that fill an SM, launches that cannot fill one whatever their size is, and no launch at all.
#include <cuda_runtime.h>

__global__ void a64(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void a96(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void a160(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void a256(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void a384(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void a1024(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void one(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void unseen(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, int n) {
  a64<<<n, 64>>>(a, b, n);
  a96<<<n, 96>>>(a, b, n);
  a160<<<n, 160>>>(a, b, n);
  a256<<<n, 256>>>(a, b, n);
  a384<<<n, 384>>>(a, b, n);
  a1024<<<n, 1024>>>(a, b, n);
  const int grid = 1;
  one<<<grid, 100>>>(a, b, n);
}
