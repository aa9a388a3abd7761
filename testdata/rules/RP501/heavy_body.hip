// 16 copies of two FP64 routines.
#include <hip/hip_runtime.h>

__global__ __launch_bounds__(256) void waves(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
  // expect-next-line: RP501 warning @1 "16 copies of `exp` and `sin` in FP64"
#pragma unroll
  for (int k = 0; k < 16; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);
  b[i] = s;
}
