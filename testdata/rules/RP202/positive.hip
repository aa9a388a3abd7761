// The same in HIP, where an int exponent has an overload of its own.
// targets: gfx90a, gfx1100
#include <hip/hip_runtime.h>

__global__ void spectrum(const float* a, float* b, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i];
  b[0 * n + i] = exp(-0.5 * x * x);  // expect: RP202 info @18 "with both such fixes the estimate is 31 -> 17 VGPRs on gfx90a"
  b[1 * n + i] = erf(0.5 * x);  // expect: RP202 info @18 "rounded to float"
  b[2 * n + i] = sqrt(1.0 + x);  // expect: RP202 hint @18 "with both such fixes"
}
