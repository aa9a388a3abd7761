// Sine and cosine of one angle in HIP: on gfx9 one sincos can need more registers, so the fix is not a safe one there.
// targets: gfx90a, gfx1100
#include <hip/hip_runtime.h>

__global__ void spins(const float* phase, const double* angle, float* out, double* d, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = phase[i];
  out[i] = cosf(p) - sinf(p);  // expect: RP205 info @12 "with both such fixes the estimate is"
  d[i] = sin(angle[i]) * cos(angle[i]);  // expect: RP205 info @10 "with both such fixes the estimate is"
}
