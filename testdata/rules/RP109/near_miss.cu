// 160 of 255 registers.
__global__ void __launch_bounds__(128) two(const float* __restrict__ in, float* __restrict__ out, int n) {
  int t = blockIdx.x * 128 + threadIdx.x;
  float a[64], b[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    a[i] = in[t + i * n];
    b[i] = in[t + i * n + 7];
  }
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    float s = in[k];
#pragma unroll
    for (int i = 0; i < 64; ++i) {
      a[i] = a[i] * s + b[(i + 5) % 64];
      b[i] = b[i] - a[(i + 7) % 64] * s;
    }
  }
#pragma unroll
  for (int i = 0; i < 64; ++i) out[t + i * n] = a[i] + b[i];
}

// The fast sine reduces no argument.
__global__ void once(const float* in, float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = __sinf(in[t]);
}

// The sine of a constant is one.
__global__ void fixed(const float* in, float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = in[t] * sinf(0.5f) + cosf(0.25f);
}

// Nothing is reduced.
__global__ void fast(const float* in, float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = __sinf(in[t]) + __cosf(in[t + n]);
}

// The bounds are the cause, and RP104 says so.
__global__ void __launch_bounds__(512, 4) capped(const float* __restrict__ in, float* __restrict__ out,  // expect: RP104 warning @17 "caps it at 32"
                                                  int n) {
  int t = blockIdx.x * 512 + threadIdx.x;
  float a[40], b[40];  // expect: RP402 @9 "needs 40 registers"
#pragma unroll
  for (int i = 0; i < 40; ++i) {
    a[i] = in[t + i * n];
    b[i] = in[t + i * n + 7];
  }
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    float s = in[k];
#pragma unroll
    for (int i = 0; i < 40; ++i) {
      a[i] = a[i] * s + b[(i + 5) % 40];
      b[i] = b[i] - a[(i + 7) % 40] * s;
    }
  }
#pragma unroll
  for (int i = 0; i < 40; ++i) out[t + i * n] = a[i] + b[i];
}
