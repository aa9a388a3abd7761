// A macro wrote the bounds: reported, without a fix.
#include <hip/hip_runtime.h>

#define BOUNDED __global__ void __launch_bounds__(128, 8)
// expect-next-line: RP103 warning @1 "a cap of 64 VGPRs on gfx90a"
BOUNDED many(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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
