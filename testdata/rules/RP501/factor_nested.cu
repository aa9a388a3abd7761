// 1,024 copies of a chain, which share the loads of a: rolled up it was measured to be 10 x slower.
// targets: sm_90

__global__ void __launch_bounds__(256) square(const double* __restrict__ a, const double* __restrict__ c, double* b,
                                              int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
  // expect-next-line: RP501 hint @1 "1,024 copies of the inner body (32 x 32)"
#pragma unroll 32
  for (int j = 0; j < 32; ++j) {
#pragma unroll 32
    for (int k = 0; k < 32; ++k) s = s * a[i + k * n] + c[j * n + i];
  }
  b[i] = s;
}
