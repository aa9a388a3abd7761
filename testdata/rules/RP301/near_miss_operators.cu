// The loads are needed in front of the loop as well, many of them become one value, or the operand is as wide as the
// value: moved behind the loop, they would save nothing or be loaded twice.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) needed_before(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  const int g = blockIdx.x * 256 + threadIdx.x;
  const double t = g * 0.25;
  double e[8];
  for (int i = 0; i < 8; ++i) { const double x = a[g + i * n]; o[g + (i + 8) * n] = x; e[i] = x * 3.0; }
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 8; ++i) o[g + i * n] = e[i] + w[g];
}

__global__ void __launch_bounds__(256) operand_of_its_own(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  const int g = blockIdx.x * 256 + threadIdx.x;
  const double t = g * 0.25;
  double e[8];
  for (int i = 0; i < 8; ++i) { const double x = b[g + i * n]; o[g + (i + 8) * n] = x; e[i] = a[g + i * n] * x; }
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 8; ++i) o[g + i * n] = e[i] + w[g];
}

__global__ void __launch_bounds__(256) summed(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  const int g = blockIdx.x * 256 + threadIdx.x;
  double e[4];
  for (int i = 0; i < 4; ++i) e[i] = ((((a[g + i * n] + b[g + i * n]) * a[g + (i + 4) * n]) + b[g + (i + 4) * n]) * a[g + (i + 8) * n]) + f;
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 4; ++i) o[g + i * n] = e[i] + w[g];
}
