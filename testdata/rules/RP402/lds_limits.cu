// 64 doubles are half of a thread's registers; beside 200 KB of LDS there is one block, and registers are free.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) reverse(const double* a, double* b, int n) {
  extern __shared__ double tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double row[64];  // expect: RP402 hint @10 "needs 128 registers, and a thread has 255 on sm_90"
#pragma unroll
  for (int k = 0; k < 64; ++k) row[k] = a[k * n + i] * tile[k];
#pragma unroll
  for (int k = 0; k < 64; ++k) b[k * n + i] = row[k] * row[(k + 21) & 63];
}

void run(const double* a, double* b, int n) { reverse<<<n / 256, 256, 200 * 1024>>>(a, b, n); }

// Without it the array costs warps.
__global__ void __launch_bounds__(256) other(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double row[64];  // expect: RP402 warning @10 "per SIMD fit with it"
#pragma unroll
  for (int k = 0; k < 64; ++k) row[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 64; ++k) b[k * n + i] = row[k] * row[(k + 21) & 63];
}

void run_other(const double* a, double* b, int n) { other<<<n / 256, 256>>>(a, b, n); }
