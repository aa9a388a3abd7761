// targets: gfx90a, gfx1100, sm_90
// Sums side by side in one loop, each of its own elements; two loops over half of them hold half.
__global__ void __launch_bounds__(256) sums_smell(const double* __restrict__ a, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double s[32];
  for (int k = 0; k < 32; ++k) s[k] = 0;
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < 32; ++k) s[k] += a[g + (r * 32 + k) * m];
  for (int k = 0; k < 32; ++k) o[g + k * m] = s[k];
}

__global__ void __launch_bounds__(256) sums_repaired(const double* __restrict__ a, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
#pragma unroll 1
  for (int h = 0; h < 32; h += 16) {
    double s[16];
    for (int k = 0; k < 16; ++k) s[k] = 0;
    for (int r = 0; r < n; ++r)
      for (int k = 0; k < 16; ++k) s[k] += a[g + (r * 32 + (h + k)) * m];
    for (int k = 0; k < 16; ++k) o[g + (h + k) * m] = s[k];
  }
}

__global__ void __launch_bounds__(256) squares_smell(const double* __restrict__ a, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
  double s[24];
  for (int k = 0; k < 24; ++k) s[k] = 0;
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < 24; ++k) s[k] += a[g + (r * 24 + k) * m] * a[g + (r * 24 + k) * m];
  for (int k = 0; k < 24; ++k) o[g + k * m] = s[k];
}

__global__ void __launch_bounds__(256) squares_repaired(const double* __restrict__ a, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
#pragma unroll 1
  for (int h = 0; h < 24; h += 12) {
    double s[12];
    for (int k = 0; k < 12; ++k) s[k] = 0;
    for (int r = 0; r < n; ++r)
      for (int k = 0; k < 12; ++k) s[k] += a[g + (r * 24 + (h + k)) * m] * a[g + (r * 24 + (h + k)) * m];
    for (int k = 0; k < 12; ++k) o[g + (h + k) * m] = s[k];
  }
}

__global__ void __launch_bounds__(256) floats_smell(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
  float s[48];
  for (int k = 0; k < 48; ++k) s[k] = 0;
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < 48; ++k) s[k] += a[g + (r * 48 + k) * m];
  for (int k = 0; k < 48; ++k) o[g + k * m] = s[k];
}

__global__ void __launch_bounds__(256) floats_repaired(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
#pragma unroll 1
  for (int h = 0; h < 48; h += 24) {
    float s[24];
    for (int k = 0; k < 24; ++k) s[k] = 0;
    for (int r = 0; r < n; ++r)
      for (int k = 0; k < 24; ++k) s[k] += a[g + (r * 48 + (h + k)) * m];
    for (int k = 0; k < 24; ++k) o[g + (h + k) * m] = s[k];
  }
}
