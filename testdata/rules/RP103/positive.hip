// Second arguments that were chosen for CUDA.
// targets: gfx90a, gfx1100
#include <hip/hip_runtime.h>

// expect-next-line: RP103 warning @17 "HIP reads 8 as waves per SIMD, a cap of 64 VGPRs on gfx90a" "8 blocks of 128 threads, CUDA's meaning, would be 4, a cap of 128"
__global__ void __launch_bounds__(128, 8) many(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

constexpr int kThreads = 128;
// expect-next-line: RP103 warning @17 "`__launch_bounds__(kThreads, 1024 / kThreads)`: HIP reads 8"
__global__ void __launch_bounds__(kThreads, 1024 / kThreads) divided(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[40];  // expect: RP402 warning
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

// expect-next-line: RP103 warning @17 "a cap of 120 VGPRs on gfx1100"
__global__ void __launch_bounds__(64, 12) waves_of_32(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

// expect-next-line: RP103 hint @17 "a cap of 64 VGPRs on gfx90a; 8 blocks of 128 threads"
__global__ void __launch_bounds__(128, 8) few(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

// expect-next-line: RP103 hint @17 "HIP reads 16 as waves per SIMD, drops that (gfx90a has 8)"
__global__ void __launch_bounds__(128, 2048 / 128) dropped(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

// expect-next-line: RP103 hint @17 "2 blocks of 1,024 threads, CUDA's meaning, would be 8"
__global__ void __launch_bounds__(1024, 2) large(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

template <int T>
// expect-next-line: RP103 info @17 "HIP reads `1024 / T` as waves per SIMD, and it looks like CUDA's blocks per multiprocessor"
__global__ void __launch_bounds__(T, 1024 / T) open(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[60];
#pragma unroll
  for (int k = 0; k < 60; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 60; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 60; ++k) b[k * n + i] = s[k];
}
