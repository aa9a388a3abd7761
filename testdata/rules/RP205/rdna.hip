// The fix is safe on RDNA.
// targets: gfx1100
#include <hip/hip_runtime.h>

__global__ void product(const double* angle, double* d, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[i] = sin(angle[i]) * cos(angle[i]);  // expect: RP205 info @21 "with the fix the estimate is"
}
