// targets: sm_90
// Nothing is held: an address is made where it is used.
__global__ void __launch_bounds__(256) element(float* out, const float* a, const float* b, size_t n, size_t pitch, int m) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i + k * pitch] * b[i * pitch + k] + a[(i + 1) * pitch + k];
  out[i] = sum;
}

// Three of them are within what ptxas adds and saves by itself.
__global__ void __launch_bounds__(256) few(double* out, const double* f, const double* g, const long* list, long n, int m) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  long at[3];
#pragma unroll
  for (int k = 0; k < 3; ++k) at[k] = list[k * n + i];
  double sum = 0;
  for (int q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 3; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
  }
  out[i] = sum;
}

// 32 bits already.
__global__ void __launch_bounds__(256) narrow(double* out, const double* f, const double* g, const int* list, int n, int m) {
  int i = blockIdx.x * (int)blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) at[k] = list[k * n + i];
  double sum = 0;
  for (int q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 12; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
  }
  out[i] = sum;
}
