// targets: gfx90a, gfx1100, sm_90
// 24 doubles computed of loads in front of a loop that does not use them, by one operator each, by two loads, by a root.
__global__ void __launch_bounds__(256) scaled_smell(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double t = g * 0.25, e[24];
  for (int i = 0; i < 24; ++i) e[i] = a[g + i * n] * 3.0;
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = e[i] + w[g];
}

__global__ void __launch_bounds__(256) scaled_repaired(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double t = g * 0.25;
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = a[g + i * n] * 3.0 + w[g];
}

__global__ void __launch_bounds__(256) two_loads_smell(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double t = g * 0.25, e[24];
  for (int i = 0; i < 24; ++i) e[i] = a[g + i * n] * f + b[g + i * n];
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = e[i] + w[g];
}

__global__ void __launch_bounds__(256) two_loads_repaired(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double t = g * 0.25;
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = a[g + i * n] * f + b[g + i * n] + w[g];
}

__global__ void __launch_bounds__(256) root_smell(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double t = g * 0.25, e[24];
  for (int i = 0; i < 24; ++i) e[i] = sqrt(a[g + i * n]);
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = e[i] + w[g];
}

__global__ void __launch_bounds__(256) root_repaired(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double t = g * 0.25;
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = sqrt(a[g + i * n]) + w[g];
}

__global__ void __launch_bounds__(256) operand_smell(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double t = g * 0.25, e[24];
  for (int i = 0; i < 24; ++i) e[i] = a[g + i * n] * t;
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = e[i] + w[g];
}

__global__ void __launch_bounds__(256) operand_repaired(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, double* __restrict__ w, int n, double f) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double t = g * 0.25;
  for (int r = 0; r < n; ++r) w[g + r * n] = a[r] * 2.0 + r;
  for (int i = 0; i < 24; ++i) o[g + i * n] = a[g + i * n] * t + w[g];
}
