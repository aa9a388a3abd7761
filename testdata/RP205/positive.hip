// Sine and cosine of one angle in HIP: on gfx9 one sincos can need more registers, so the fix is not a safe one there.
// targets: gfx90a, gfx1100
#include <hip/hip_runtime.h>

__global__ void spins(const float* phase, const double* angle, float* out, double* d, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = phase[i];
  out[i] = cosf(p) - sinf(p);  // expect: RP205 info @12 "about 3 VGPRs less on gfx90a; about 4 VGPRs less on gfx1100"
  d[i] = sin(angle[i]) * cos(angle[i]);  // expect: RP205 info @10 "from 12 VGPRs less to 16 more on gfx90a; about 11 VGPRs less on gfx1100"
}
