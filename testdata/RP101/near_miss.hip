// The bound is there.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) moments(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[64];  // expect: RP402
#pragma unroll
  for (int k = 0; k < 64; ++k) s[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 64; ++k) b[k * n + i] = s[k] * s[64 - 1 - k];
}

void run(const double* a, double* b, int n) { moments<<<n / 256, 256>>>(a, b, n); }
