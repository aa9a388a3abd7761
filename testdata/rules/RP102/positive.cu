// A launch that must fail, and a bound for threads that never come.
// expect-next-line: RP102 error @17 "launched with 1,024 threads: the launch fails"
__global__ void __launch_bounds__(512, 2) scale(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

// expect-next-line: RP102 warning @17 "caps it at 64 registers on sm_90"
__global__ void __launch_bounds__(1024) sums(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

void run(const float* a, float* b, const double* c, double* d, int m, int n) {
  scale<<<n / 1024, 1024>>>(a, b);
  sums<<<n / 256, 256>>>(c, d, m, n);
}
