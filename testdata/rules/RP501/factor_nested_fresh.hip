// 1,024 copies, each with elements of its own: 66 VGPRs, and 34 with the inner loop by 4.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) rows(const double* __restrict__ a, const double* __restrict__ c, double* b,
                                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
  // expect-next-line: RP501 info @1 "1,024 copies of the inner body (32 x 32)"
#pragma unroll 32
  for (int j = 0; j < 32; ++j) {
#pragma unroll 32
    for (int k = 0; k < 32; ++k) s = s * a[i + (j * 32 + k) * n] + c[i + (j * 32 + k) * n];
  }
  b[i] = s;
}
