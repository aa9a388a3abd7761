// One file for AMD alone: what nvcc makes of these differs by two registers, and their time was not taken.
// Both in one expression.
__global__ void product_smell(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = sin(a[i]) * cos(a[i]);
}

__global__ void product_repaired(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s, c;
  sincos(a[i], &s, &c);
  b[i] = s * c;
}

// In a kernel that spills on gfx90a: more spills.
__global__ void crowd_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x[28];
#pragma unroll
  for (int k = 0; k < 28; ++k) x[k] = a[k * n + i];
  for (int j = 0; j < m; ++j) {
    double t = x[0] * j;
    double s = sin(t), c = cos(t);
#pragma unroll
    for (int k = 0; k < 28; ++k) x[k] = x[k] * s + x[27 - k] * c;
  }
#pragma unroll
  for (int k = 0; k < 28; ++k) b[k * n + i] = x[k];
}

__global__ void crowd_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x[28];
#pragma unroll
  for (int k = 0; k < 28; ++k) x[k] = a[k * n + i];
  for (int j = 0; j < m; ++j) {
    double t = x[0] * j;
    double s, c;
    sincos(t, &s, &c);
#pragma unroll
    for (int k = 0; k < 28; ++k) x[k] = x[k] * s + x[27 - k] * c;
  }
#pragma unroll
  for (int k = 0; k < 28; ++k) b[k * n + i] = x[k];
}
