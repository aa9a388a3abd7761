// Sines and cosines that one call cannot replace: the angle may be another one behind the call that gets its address.
#include <hip/hip_runtime.h>

__device__ void advance(float* p) { *p += 1.0f; }

__global__ void apart(const float* a, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float p = a[i];
  out[i] = cosf(p);
  advance(&p);
  out[n + i] = sinf(p);
}
