// Bounds that leave enough, requests that are dropped, and another rule's business.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256, 4) enough(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256, 10) dropped(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

__global__ void __launch_bounds__(256, 8) few(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

__global__ void __launch_bounds__(256) plain(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

// RP102 says it.
// expect-next-line: RP102 warning
__global__ void __launch_bounds__(1024) oversized(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[72];  // expect: RP402 warning
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

// RP103 says it.
// expect-next-line: RP103 warning
__global__ void __launch_bounds__(128, 8) unit(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[72];  // expect: RP402 warning
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

void run(const double* a, double* b, int m, int n) { oversized<<<n / 256, 256>>>(a, b, m, n); }
