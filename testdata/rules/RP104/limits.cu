// A cap on registers that is no launch bound.
#include <cuda_runtime.h>

__global__ void __maxnreg__(40) tight(const double* a, double* b, int n) {  // expect: RP104 warning @17 "`__maxnreg__(40)` caps `tight` at 40 registers on sm_90" "the rest spills"
  double s[40];  // expect: RP402
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = a[k * n + blockIdx.x * 64 + threadIdx.x];
  for (int j = 0; j < n; ++j) {
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] += a[j] * s[k];
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + blockIdx.x * 64 + threadIdx.x] = s[k];
}

__global__ void __maxnreg__(40) roomy(const double* a, double* b, int n) {
  b[threadIdx.x] = a[threadIdx.x] + n;
}
