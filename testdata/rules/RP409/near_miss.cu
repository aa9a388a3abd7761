// ptxas sees through swapped pointers, and through functions that are inlined.
#include <cuda_runtime.h>

__device__ float energy(const float* v) { return v[0] * v[11] + v[5]; }

__global__ void handed(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  for (int j = 0; j < 12; ++j) v[j] = a[j * n + i];
  b[i] = energy(v);
}

__global__ void swapped(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[4], y[4];
  for (int j = 0; j < 4; ++j) x[j] = a[j * n + i];
  float *from = x, *to = y;
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < 4; ++j) to[j] = 0.5f * from[j] + from[(j + 1) & 3];
    float* t = from;
    from = to;
    to = t;
  }
  b[i] = from[0] + from[3];
}
