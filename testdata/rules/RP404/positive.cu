// Tables of constants that every thread copies. The index decides whether `static` is sure to help.
#include <cuda_runtime.h>

#define HALF 0.5f

__global__ void uniform(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[9] = {1, 2, 3, 4, HALF, 4, 3, 2, 1};  // expect: RP404 warning @15 "(9 x float, 36 bytes)" "`k`" "local memory"
  float s = 0;
  for (int k = 0; k < m; ++k) s += w[k] * a[k * n + i];
  b[i] = s;
}

__global__ void per_thread(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};  // expect: RP404 warning @9 "`a[k * n + i]`"
  float s = 0;
  for (int k = 0; k < m; ++k) s += w[a[k * n + i]];
  b[i] = s;
}

__global__ void digits(const unsigned char* a, unsigned char* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  constexpr unsigned char hex[] = "0123456789abcdef";  // expect: RP404 warning @27 "`hex`" "17 bytes"
  b[2 * i] = hex[a[i] >> 4];
  b[2 * i + 1] = hex[a[i] & 15];
}

__device__ double weight(int k) {
  const double w[5] = {0.1, 0.2, 0.4, 0.2, 0.1};  // expect: RP404 warning @16 "`w`"
  return w[k];
}

__global__ void callee(const double* a, double* b, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * weight(k);
}
