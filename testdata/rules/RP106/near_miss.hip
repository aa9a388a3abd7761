// Sizes that fill a CU, launches that cannot fill one whatever their size is, and no launch at all.
#include <hip/hip_runtime.h>

__global__ void a64(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void a256(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void a512(const float* a, float* b, int n) {
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

__global__ void thread(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void unseen(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, int n) {
  a64<<<n, 64>>>(a, b, n);
  a256<<<n, dim3(16, 16)>>>(a, b, n);
  a512<<<n, 512>>>(a, b, n);
  a1024<<<n, dim3(32, 32)>>>(a, b, n);
  one<<<1, 100>>>(a, b, n);
  one<<<dim3(1, 1), dim3(10, 10), 0, 0>>>(a, b, n);
  thread<<<n, 1>>>(a, b, n);
}
