// A tile whose elements share what is loaded, elements that take from each other, half as many of them, and a
// loop that writes memory.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) tile(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double s[32];
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int r = 0; r < n; ++r) {
    double x = b[g + r * m];
    for (int k = 0; k < 32; ++k) s[k] += x * a[r * 32 + k];
  }
  for (int k = 0; k < 32; ++k) o[g + k * m] = s[k];
}

__global__ void __launch_bounds__(256) neighbours(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double s[32];
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < 32; ++k) s[k] += s[(k + 1) % 32] * a[g + (r * 32 + k) * m];
  }
  for (int k = 0; k < 32; ++k) o[g + k * m] = s[k];
}

__global__ void __launch_bounds__(256) sixteen(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < 16; ++k) s[k] += a[g + (r * 16 + k) * m];
  }
  for (int k = 0; k < 16; ++k) o[g + k * m] = s[k];
}

__global__ void __launch_bounds__(256) writes(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double s[32];
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < 32; ++k) s[k] += a[g + (r * 32 + k) * m];
    o[g + r * m] = b[r];
  }
  for (int k = 0; k < 32; ++k) o[g + k * m] = s[k];
}
