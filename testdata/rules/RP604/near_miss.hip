// Loads that stay scalar, or that are no scalar loads in any case.
// targets: gfx90a, gfx1100
#include <hip/hip_runtime.h>

// Shared memory and barriers change nothing.
__global__ void staged(const float* w, const float* a, float* b) {
  __shared__ float tile[4][64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x / 64][threadIdx.x % 64] = a[i];
  __syncthreads();
  float x = tile[threadIdx.x % 4][0];
  for (int k = 0; k < 32; ++k) x = x * w[k] + 1.0f;
  b[i] = x;
}

// An int is no float, 16 bits are no scalar load, `__restrict__` on either pointer is enough.
__global__ void typed(const float* w, int* seen, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[i] = 1;
  float s = 0.0f;
  for (int k = 0; k < 32; ++k) s += w[k];
  b[i] = s;
}

__global__ void small(const short* w, short* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0;
  int s = 0;
  for (int k = 0; k < 32; ++k) s += w[k];
  b[i] = s;
}

__global__ void restricted(const float* __restrict__ w, const float* v, float* __restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0.0f;
  float s = 0.0f;
  for (int k = 0; k < 32; ++k) s += w[k] * v[k];
  b[i] = s;
}

// Different in each thread, or few bytes, or the store comes later or on another way.
__global__ void own(const float* w, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0.0f;
  float s = 0.0f;
  for (int k = 0; k < 32; ++k) s += w[i * 32 + k];
  b[i] = s;
}

__global__ void few(const float* w, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0.0f;
  b[i] = w[0] + w[1] + w[2] + w[3] + w[0];
}

__global__ void later(const float* w, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  if (i < n) {
    for (int k = 0; k < 32; ++k) s += w[k];
  } else {
    b[i] = 0.0f;
  }
  b[i] = s;
}

// It is written through as well.
__global__ void in_place(float* w, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0.0f;
  float s = 0.0f;
  for (int k = 0; k < 32; ++k) s += w[k];
  w[i] = s;
}

// What a pointer writes is seen by the execution alone: the loads differ from thread to thread.
__global__ void moved(const float* w, const float* a, float* b, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = 0;
  int* which = &at;
  *which = threadIdx.x;
  float h = 0.0f;
  for (int t = 0; t < steps; ++t) {
    float s = a[t * n + i];
    for (int k = 0; k < 24; ++k) s += w[at + k] * h;
    h = s;
    b[t * n + i] = h;
  }
}
