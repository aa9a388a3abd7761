// CUDA source that is compiled for AMD as well.
// targets: sm_90, gfx90a
// expect-next-line: RP103 warning @17 "HIP reads 8 as waves per SIMD" "would be 2, a cap of 256"
__global__ void __launch_bounds__(64, 8) many(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[48];  // expect: RP402 warning
#pragma unroll
  for (int k = 0; k < 48; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 48; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 48; ++k) b[k * n + i] = s[k];
}
