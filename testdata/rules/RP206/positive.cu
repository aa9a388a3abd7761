// Divisions of 64-bit integers: no pair became faster on an H200, so they are hints on NVIDIA.
#include <cuda_runtime.h>

__device__ size_t column(size_t k, size_t width) { return k % width; }  // expect: RP206 hint "`k % width`"

__global__ void walk(const float* a, float* b, size_t w, long h, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  size_t k = i;
  for (int j = 0; j < m; ++j) {
    k = (k * 31 + j) % w;  // expect: RP206 hint @9 "`(k * 31 + j) % w` in a loop divides 64-bit integers (`size_t`)"
    s += a[k];
  }
  long row = k;
  row /= h;  // expect: RP206 hint @3 "`row /= h` divides 64-bit integers (`long`)"
  b[i] = s + a[row] + a[column(k, w)];
}
