// targets: gfx90a, gfx1100, sm_90
// Few registers: a bound changes nothing.
// time: few threads=131072 size=8388608 m=64 n=131072
__global__ void few_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

// Below the cap of 1,024 threads.
// time: some threads=131072 size=8388608 m=64 n=131072
__global__ void some_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[24];
#pragma unroll
  for (int k = 0; k < 24; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 24; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 24; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) some_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[24];
#pragma unroll
  for (int k = 0; k < 24; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 24; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 24; ++k) b[k * n + i] = s[k];
}
void run_some_smell(const double* a, double* b, int m, int n) { some_smell<<<n / 256, 256>>>(a, b, m, n); }
void run_some_repaired(const double* a, double* b, int m, int n) { some_repaired<<<n / 256, 256>>>(a, b, m, n); }

// Near the cap of 1,024 threads on gfx90a, which still holds.
// time: many threads=131072 size=8388608 m=64 n=131072
__global__ void many_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

// A few registers below it: the estimate cannot tell, and nothing is gained.
// time: near threads=131072 size=8388608 m=64 n=131072
__global__ void near_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[56];
#pragma unroll
  for (int k = 0; k < 56; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 56; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 56; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) near_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[56];
#pragma unroll
  for (int k = 0; k < 56; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 56; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 56; ++k) b[k * n + i] = s[k];
}
void run_near_smell(const double* a, double* b, int m, int n) { near_smell<<<n / 256, 256>>>(a, b, m, n); }
void run_near_repaired(const double* a, double* b, int m, int n) { near_repaired<<<n / 256, 256>>>(a, b, m, n); }

// Beyond it on gfx90a, below it on gfx1100.
// time: more threads=131072 size=9437184 m=64 n=131072
__global__ void more_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[72];
#pragma unroll
  for (int k = 0; k < 72; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 72; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 72; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) more_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[72];
#pragma unroll
  for (int k = 0; k < 72; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 72; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 72; ++k) b[k * n + i] = s[k];
}
void run_more_smell(const double* a, double* b, int m, int n) { more_smell<<<n / 256, 256>>>(a, b, m, n); }
void run_more_repaired(const double* a, double* b, int m, int n) { more_repaired<<<n / 256, 256>>>(a, b, m, n); }

// Beyond it on both.
// time: most threads=131072 size=13107200 m=64 n=131072
__global__ void most_smell(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[100];
#pragma unroll
  for (int k = 0; k < 100; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 100; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 100; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) most_repaired(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[100];
#pragma unroll
  for (int k = 0; k < 100; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 100; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 100; ++k) b[k * n + i] = s[k];
}
void run_most_smell(const double* a, double* b, int m, int n) { most_smell<<<n / 256, 256>>>(a, b, m, n); }
void run_most_repaired(const double* a, double* b, int m, int n) { most_repaired<<<n / 256, 256>>>(a, b, m, n); }

