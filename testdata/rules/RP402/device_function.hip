// An array of a device function is reported once for all its callers, whatever else they hold.
#include <hip/hip_runtime.h>

__device__ void reverse(const double* a, double* b, int i, int n) {
  double row[64];  // expect: RP402 warning @10 "needs 128 registers on gfx90a in every kernel that calls `reverse`"
#pragma unroll
  for (int k = 0; k < 64; ++k) row[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 64; ++k) b[k * n + i] = row[k] * row[63 - k];
}

// expect-next-line: RP101 warning
__global__ void one(const double* a, double* b, int n) { reverse(a, b, blockIdx.x * 64 + threadIdx.x, n); }

__global__ void __launch_bounds__(256) two(const double* a, double* b, double scale, int n) {
  reverse(a, b, blockIdx.x * 64 + threadIdx.x, n);
  b[0] = a[n] * scale;
}

void run(const double* a, double* b, int n) {
  one<<<n / 256, 256>>>(a, b, n);
  two<<<n / 256, 256>>>(a, b, 2.0, n);
}
