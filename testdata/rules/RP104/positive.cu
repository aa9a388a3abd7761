// Caps below the need, and a second argument that lets go.
// expect-next-line: RP104 warning @17 "caps it at 32 registers on sm_90" "the rest spills"
__global__ void __launch_bounds__(1024, 2) two(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[32];  // expect: RP402 warning
#pragma unroll
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 32; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 32; ++k) b[k * n + i] = s[k];
}

// expect-next-line: RP104 info @17 "lets nvcc take up to 255 registers on sm_90"
__global__ void __launch_bounds__(256, 1) loosened(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[24];
#pragma unroll
  for (int k = 0; k < 24; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 24; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 24; ++k) b[k * n + i] = s[k];
}

// expect-next-line: RP104 info @17 "it may spill"
__global__ void __launch_bounds__(256, 4) near(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[36];  // expect: RP402 warning
#pragma unroll
  for (int k = 0; k < 36; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 36; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 36; ++k) b[k * n + i] = s[k];
}

// expect-next-line: RP104 info @17 "it may spill"
__global__ void __launch_bounds__(1024, 2) unseen(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  asm volatile("griddepcontrol.wait;");
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[32];  // expect: RP402 warning
#pragma unroll
  for (int k = 0; k < 32; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 32; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 32; ++k) b[k * n + i] = s[k];
}
