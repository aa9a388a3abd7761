// targets: gfx90a, gfx1100, sm_90
// A bound four times as large as every block that is launched.
// time: few threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(1024) few_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 8; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) few_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 8; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) b[k * n + i] = s[k];
}
void run_few_smell(const double* a, double* b, int m, int n) { few_smell<<<n / 256, 256>>>(a, b, m, n); }
void run_few_repaired(const double* a, double* b, int m, int n) { few_repaired<<<n / 256, 256>>>(a, b, m, n); }

// time: many threads=131072 size=8388608 m=64 n=131072
__global__ void __launch_bounds__(1024) many_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 48; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 48; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) many_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 48; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 48; ++k) b[k * n + i] = s[k];
}
void run_many_smell(const double* a, double* b, int m, int n) { many_smell<<<n / 256, 256>>>(a, b, m, n); }
void run_many_repaired(const double* a, double* b, int m, int n) { many_repaired<<<n / 256, 256>>>(a, b, m, n); }

// time: most threads=131072 size=10485760 m=64 n=131072
__global__ void __launch_bounds__(1024) most_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[80];
#pragma unroll
  for (int k = 0; k < 80; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 80; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 80; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) most_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[80];
#pragma unroll
  for (int k = 0; k < 80; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 80; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 80; ++k) b[k * n + i] = s[k];
}
void run_most_smell(const double* a, double* b, int m, int n) { most_smell<<<n / 256, 256>>>(a, b, m, n); }
void run_most_repaired(const double* a, double* b, int m, int n) { most_repaired<<<n / 256, 256>>>(a, b, m, n); }

