// 64 doubles in a kernel without launch bounds.
#include <hip/hip_runtime.h>

// expect-next-line: RP101 warning @17 "`moments` has no `__launch_bounds__`" "caps it at 128 VGPRs on gfx90a" "256 threads it may have 512"
__global__ void moments(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[64];  // expect: RP402 warning "128 of the 128 registers"
#pragma unroll
  for (int k = 0; k < 64; ++k) s[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 64; ++k) b[k * n + i] = s[k] * s[64 - 1 - k];
}

void run(const double* a, double* b, int n) { moments<<<n / 256, 256>>>(a, b, n); }
