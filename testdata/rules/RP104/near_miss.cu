// Enough registers, registers that cost no warp, and warps that hand registers over.
__global__ void __launch_bounds__(256, 2) enough(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256, 1) few(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

__global__ void __launch_bounds__(1024, 2) full(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

__global__ void __launch_bounds__(256) free_hand(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
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

__global__ void __launch_bounds__(512, 1) moves(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  if (threadIdx.x < 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[72];
#pragma unroll
  for (int k = 0; k < 72; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 72; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 72; ++k) b[k * n + i] = s[k];
}
