// targets: gfx90a, gfx1100
// A wave of RDNA has 32 lanes: the same launch is right there.
#include <hip/hip_runtime.h>

__global__ void half(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

// expect-next-line: RP106 info "32 of the 64 lanes of its wave of 64 are idle on gfx90a (50%)"
void run(const float* a, float* b, int n) { half<<<(n + 31) / 32, 32>>>(a, b, n); }
