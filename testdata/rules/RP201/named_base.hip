#include <hip/hip_runtime.h>

__device__ float mine(float x) { return x + 1.0f; }

__global__ void waves(const double* a, const float* f, double* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = pow(sin(a[i]), 2.0);  // expect: RP201
  float s = powf(cosf(f[i]) * 2.0f, 2.0f) + 1.0f;  // expect: RP201
  c[i] = s;
  if (n > 3) c[i] = powf(expf(f[i]), 2.0f);  // expect: RP201
  c[i + n] = powf(mine(f[i]), 2.0f);  // expect: RP201
  b[i + n] = n > 3 ? pow(exp(a[i]), 2.0) : 0.0;  // expect: RP201
}
