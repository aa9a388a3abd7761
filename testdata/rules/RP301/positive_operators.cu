// Values that cheap operators make of loads in front of a loop that does not use them.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) scaled(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  const int g = blockIdx.x * 256 + threadIdx.x;
  const double t = g * 0.25;
  double e[24];  // expect: RP301 warning @10 "`e` is computed of loads before the loop at line" "48 registers"; RP402
  for (int i = 0; i < 24; ++i) e[i] = a[g + i * n] * 3.0;
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = e[i] + w[g];
}

__global__ void __launch_bounds__(256) two_loads(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  const int g = blockIdx.x * 256 + threadIdx.x;
  const double t = g * 0.25;
  double e[24];  // expect: RP301 warning @10 "`e` is computed of loads before the loop at line" "48 registers"; RP402
  for (int i = 0; i < 24; ++i) e[i] = a[g + i * n] * f + b[g + i * n];
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = e[i] + w[g];
}

__global__ void __launch_bounds__(256) root(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  const int g = blockIdx.x * 256 + threadIdx.x;
  const double t = g * 0.25;
  double e[24];  // expect: RP301 warning @10 "`e` is computed of loads before the loop at line" "48 registers"; RP402
  for (int i = 0; i < 24; ++i) e[i] = sqrt(a[g + i * n]);
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = e[i] + w[g];
}

__global__ void __launch_bounds__(256) one_operand_is_held(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  const int g = blockIdx.x * 256 + threadIdx.x;
  const double t = g * 0.25;
  double e[24];  // expect: RP301 warning @10 "`e` is computed of loads before the loop at line" "46 registers"; RP402
  for (int i = 0; i < 24; ++i) e[i] = a[g + i * n] * t;
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = e[i] + w[g];
}
