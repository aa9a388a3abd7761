// Kernels that run as one block: nothing else waits for the GPU, so that it is information.
#include <cuda_runtime.h>

// Every block would do the same.
__global__ void totals(float* sums, const int* bins, int m) {
  float h[16] = {};  // expect: RP403 info "local memory"
  for (int j = 0; j < m; ++j) h[bins[j * 32 + threadIdx.x] & 15] += 1.0f;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += h[k] * k;
  sums[threadIdx.x] = s;
}

// Its launch says so.
__global__ void last(float* sums, const int* bins, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[16] = {};  // expect: RP403 info "local memory"
  for (int j = 0; j < m; ++j) h[bins[j * 32 + i] & 15] += 1.0f;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += h[k] * k;
  sums[i] = s;
}

// Blocks take their work from a counter.
__global__ void queued(float* sums, const int* bins, int* next, int m) {
  float h[16] = {};  // expect: RP403 warning "local memory"
  __shared__ int first;
  if (threadIdx.x == 0) first = atomicAdd(next, 32);
  __syncthreads();
  for (int j = 0; j < m; ++j) h[bins[j * 4096 + first + threadIdx.x] & 15] += 1.0f;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += h[k] * k;
  sums[first + threadIdx.x] = s;
}

// A function that is not in view may ask for the block.
__device__ int place(int thread);
__global__ void elsewhere(float* sums, const int* bins, int m) {
  int i = place(threadIdx.x);
  float h[16] = {};  // expect: RP403 warning "local memory"
  for (int j = 0; j < m; ++j) h[bins[j * 32 + i] & 15] += 1.0f;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += h[k] * k;
  sums[i] = s;
}

void run(float* sums, const int* bins, int m) { last<<<1, 256>>>(sums, bins, m); }
