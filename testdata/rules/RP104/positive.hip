// More waves asked for than the registers allow.
#include <hip/hip_runtime.h>

// expect-next-line: RP104 warning @17 "`__launch_bounds__(256, 8)` of `many` caps it at 64 registers on gfx90a" "the rest spills"
__global__ void __launch_bounds__(256, 8) many(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[48];  // expect: RP402 warning
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

// expect-next-line: RP104 info @17 "it may spill"
__global__ void __launch_bounds__(256, 6) near(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[44];  // expect: RP402 warning
#pragma unroll
  for (int k = 0; k < 44; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 44; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 44; ++k) b[k * n + i] = s[k];
}

// expect-next-line: RP104 info @17 "caps it at 128 registers on gfx90a" "it may spill"
__global__ void __launch_bounds__(1024) block(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

template <int T, int W>
// expect-next-line: RP104 warning @17 "`__launch_bounds__(T, W)` (256, 8) of `of_size<256, 8>`"
__global__ void __launch_bounds__(T, W) of_size(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

void run(const double* a, double* b, int m, int n) {
  block<<<n / 1024, 1024>>>(a, b, m, n);
  of_size<256, 2><<<n / 256, 256>>>(a, b, m, n);
  of_size<256, 8><<<n / 256, 256>>>(a, b, m, n);
}
