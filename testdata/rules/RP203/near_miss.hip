// Routines whose constants no loop holds: outside, unrolled, not inlined, single precision, the same in every iteration.
#include <hip/hip_runtime.h>

__device__ __attribute__((noinline)) double outlined_pow(double x, double y) { return pow(x, y); }

template <class Call>
__device__ double sum(const double* a, Call call, int m) {
  double s = 0.0;
  for (int j = 0; j < m; ++j) s += call(a[j]);
  return s;
}

__global__ void rates(const double* a, const float* f, double* b, double p, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double y = outlined_pow(a[j], p) + expf(f[j]) + pow(1.0 + p, 0.35) + sqrt(a[j]) / a[i];
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = exp(s[0]);
  for (int k = 0; k < 4; ++k) t += log(s[k]);
  b[i] = t;
}
