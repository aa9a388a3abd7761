// Sums of an array that nothing brings together: two loops over half of them hold half.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) sums(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double s[32];
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int r = 0; r < n; ++r) {  // expect: RP303 warning @3 "32 elements of `s`" "64 registers at a time"
    for (int k = 0; k < 32; ++k) s[k] += a[g + (r * 32 + k) * m];
  }
  for (int k = 0; k < 32; ++k) o[g + k * m] = s[k];
}

__global__ void __launch_bounds__(256) squares(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double s[32];
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int r = 0; r < n; ++r) {  // expect: RP303 warning @3 "32 elements of `s`" "64 registers at a time"
    for (int k = 0; k < 32; ++k) {
      double x = a[g + (r * 32 + k) * m];
      s[k] += x * x;
    }
  }
  for (int k = 0; k < 32; ++k) o[g + k * m] = s[k];
}
