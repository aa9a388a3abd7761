// Numbers that are no waves, blocks that are no rows, reads that gain nothing.
// targets: gfx90a, sm_90
#include <cuda_runtime.h>


// Half a wave.
__global__ void half(const float* w, const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, group = threadIdx.x / 16;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[group * 16 + k] * a[i + k * n];
  b[i] = s;
}

// A second dimension, in the kernel or at the launch.
__global__ void plane(const float* w, const float* a, float* b, int n) {
  int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, wave = threadIdx.x / 64;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[wave * 16 + k] * a[i + k * n];
  b[i] = s;
}

__global__ void launched(const float* w, const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, wave = threadIdx.x / 64;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[wave * 16 + k] * a[i + k * n];
  b[i] = s;
}

// The thread's own reads, shared memory, reads behind a store that may alias, few bytes.
__global__ void rows(const int* offsets, const float* values, float* b) {
  int lane = threadIdx.x % 64, r = blockIdx.x * 4 + threadIdx.x / 64;
  float s = 0.0f;
  for (int k = offsets[r] + lane; k < offsets[r + 1]; k += 64) s += values[k];
  b[r * 64 + lane] = s;
}

__global__ void partial(const float* a, float* b) {
  __shared__ float part[4][16];
  int i = blockIdx.x * blockDim.x + threadIdx.x, wave = threadIdx.x / 64;
  if (threadIdx.x % 64 < 16) part[wave][threadIdx.x % 64] = a[i];
  __syncthreads();
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += part[wave][k];
  b[i] = s;
}

__global__ void behind(const float* w, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, wave = threadIdx.x / 64;
  b[i] = 0.0f;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[wave * 16 + k];
  b[i] = s;
}

// A block whose size is not in view; already told; changed later.
__global__ void grid(const float* w, const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, wave = i / 64;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[wave * 16 + k] * a[i + k * n];
  b[i] = s;
}

__global__ void told(const float* w, const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[wave * 16 + k] * a[i + k * n];
  b[i] = s;
}

__global__ void changed(const float* w, const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, wave = threadIdx.x / 64;
  if (i % 2) wave += 1;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[wave * 16 + k] * a[i + k * n];
  b[i] = s;
}

void run(const float* w, const float* a, float* b, int n, int threads) {
  launched<<<n / 256, dim3(32, 8)>>>(w, a, b, n);
  grid<<<n / threads, threads>>>(w, a, b, n);
}
