// targets: sm_90
__global__ void __launch_bounds__(256) neighbours(double* out, const double* f, const double* g, const long* list, long n, int m) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  long at[12];  // expect: RP605 info "13 64-bit indices in `at` and `i` hold 26 registers"
#pragma unroll
  for (int k = 0; k < 12; ++k) at[k] = list[k * n + i];
  double sum = 0;
  for (int q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 12; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
  }
  out[i] = sum;
}

__global__ void __launch_bounds__(256) offsets(float* out, const float* f, size_t n, size_t s0, size_t s1, size_t s2) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  size_t at[16];  // expect: RP605 info "`at`"
#pragma unroll
  for (int k = 0; k < 16; ++k) at[k] = i * s0 + (k & 3) * s1 + (k >> 2) * s2;
  float sum = 0;
  for (int q = 0; q < 64; ++q) {
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += f[at[k]];
#pragma unroll
    for (int k = 0; k < 16; ++k) at[k] += (q & 3) * s1 + (k & 1);
  }
  out[i] = sum;
}
