// Addresses that clang can follow, and arrays that stay in memory for another reason.
#include <hip/hip_runtime.h>

__device__ float inlined(const float* v) { return v[0] * v[11] + v[5]; }
__device__ __attribute__((noinline)) float value(float x) { return x * x; }

__global__ void handed(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  for (int j = 0; j < 12; ++j) v[j] = a[j * n + i];
  b[i] = inlined(v) + value(v[3]);
}

__global__ void unrolled(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[4], y[4];
  for (int j = 0; j < 4; ++j) x[j] = a[j * n + i];
  float *from = x, *to = y;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 4; ++j) to[j] = 0.5f * from[j] + from[(j + 1) & 3];
    float* t = from;
    from = to;
    to = t;
  }
  b[i] = from[0] + from[3];
}

__global__ void block(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  memcpy(v, a + 12 * i, sizeof(v));
  b[i] = v[0] * v[11];
}

__global__ void walking(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = a, *q = a + n;
  for (int k = 0; k < m; ++k) {
    const float* t = p;
    p = q;
    q = t + 1;
  }
  b[i] = *p;
}

__global__ void filled(const float* a, float* b, int n) {
  float v[40];
  memset(v, 0, sizeof(v));
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int i = 0; i < 40; ++i) v[i] += a[k * 40 + i];
  }
#pragma unroll
  for (int i = 0; i < 40; ++i) b[i * blockDim.x + threadIdx.x] = v[i];
}
