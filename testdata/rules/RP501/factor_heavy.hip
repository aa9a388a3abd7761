// 16 copies of exp and sin, and factors that cost nothing.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) waves(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
  // expect-next-line: RP501 warning @1 "16 copies of `exp` and `sin` in FP64"
#pragma unroll 16
  for (int k = 0; k < 64; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);  // expect: RP203 warning @57
  b[i] = s;
}
