// LDS for more threads is what is missing, not threads; a table that all threads share leaves room for them.
#include <cuda_runtime.h>

struct State { float v[1024]; };

__global__ void deep(const float* a, float* b) {
  __shared__ State state[8];
  State& own = state[threadIdx.x];
  for (int k = 0; k < 1024; ++k) own.v[(k * 7) % 1024] = a[k];
  b[blockIdx.x * 8 + threadIdx.x] = own.v[(threadIdx.x * 37) % 1024];
}

__global__ void table(const float* a, float* b) {
  __shared__ float s[64];
  for (int k = threadIdx.x; k < 64; k += 48) s[k] = a[k];
  __syncthreads();
  b[blockIdx.x * 48 + threadIdx.x] = s[(threadIdx.x * 37) % 64];
}

void run(const float* a, float* b, int n) {
  deep<<<n, 8>>>(a, b);  // expect: RP106 hint @13 "24 of the 32 lanes"
  table<<<n, 48>>>(a, b);  // expect: RP106 warning @14 "16 of the 64 lanes"
}

// RP105 has this one for its LDS: that is the one reason.
__global__ void large(const float* a, float* b) {
  __shared__ float s[11520];
  for (int k = threadIdx.x; k < 11520; k += 48) s[k] = a[k];
  __syncthreads();
  b[blockIdx.x * 48 + threadIdx.x] = s[(threadIdx.x * 37) % 11520];
}

void run_large(const float* a, float* b, int n) {
  large<<<n, 48>>>(a, b);  // expect: RP106 hint @14
}

// LDS limits the other size: the block was chosen with it.
__global__ void histogram(const float* a, float* b) {
  __shared__ float s[1024];
  for (int k = threadIdx.x; k < 1024; k += 32) s[k] = a[k];
  __syncthreads();
  b[blockIdx.x * 32 + threadIdx.x] = s[(threadIdx.x * 37) % 1024];
}

void run_histogram(const float* a, float* b, int n) {
  histogram<<<n, 32>>>(a, b);  // expect: RP106 info @18 "blocks of 128 would fill 52"
}
