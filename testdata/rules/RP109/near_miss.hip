// 420 of 512 registers: AGPRs have the rest.
__global__ void __launch_bounds__(128) two(const float* __restrict__ in, float* __restrict__ out, int n) {
  int t = blockIdx.x * 128 + threadIdx.x;
  float a[140], b[140];
#pragma unroll
  for (int i = 0; i < 140; ++i) {
    a[i] = in[t + i];
    b[i] = in[t + i + 7];
  }
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    float s = in[k];
#pragma unroll
    for (int i = 0; i < 140; ++i) {
      a[i] = a[i] * s + b[i];
      b[i] = b[i] - a[i] * s;
    }
  }
#pragma unroll
  for (int i = 0; i < 140; ++i) out[t + i * n] = a[i] + b[i];
}

// clang reduces arguments in registers.
__global__ void turned(const float* in, float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = sinf(in[t]) + cosf(in[t + n]);
}
