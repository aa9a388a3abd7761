// Four arrays that a loop keeps: 96 registers each, and without one of them the others still do not fit.
__global__ void __launch_bounds__(128) four(const float* __restrict__ in, float* __restrict__ out, int n) {  // expect: RP109 warning @40 "its values want about" "bytes per thread spill to local memory; alive at line"
  int t = blockIdx.x * 128 + threadIdx.x;
  float a[96], b[96], c[96], d[96];
#pragma unroll
  for (int i = 0; i < 96; ++i) {
    a[i] = in[t + i * n];
    b[i] = in[t + i * n + 7];
    c[i] = in[t + i * n + 9];
    d[i] = in[t + i * n + 11];
  }
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    float s = in[k];
#pragma unroll
    for (int i = 0; i < 96; ++i) {
      a[i] = a[i] * s + b[(i + 5) % 96];
      b[i] = b[i] - c[(i + 7) % 96] * s;
      c[i] = c[i] * s - d[(i + 3) % 96];
      d[i] = d[i] - a[(i + 9) % 96] * s;
    }
  }
#pragma unroll
  for (int i = 0; i < 96; ++i) out[t + i * n] = a[i] + b[i] * c[i] - d[i];
}

// One instantiation of three.
template <int N>
__global__ void __launch_bounds__(128, 1) rows(const float* __restrict__ q, const float* __restrict__ k,
                                               float* __restrict__ out, int n) {
  float query[N], sum[N];  // expect: RP402 warning @9 "in `rows<160>`"
  int lane = threadIdx.x;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    query[i] = q[lane + i * 128];
    sum[i] = 0.f;
  }
#pragma unroll 1
  for (int j = 0; j < n; ++j) {
    float x = k[j * 128 + lane];
#pragma unroll
    for (int i = 0; i < N; ++i) sum[i] = sum[i] * x + query[(i + 1) % N] * query[i];
  }
#pragma unroll
  for (int i = 0; i < N; ++i) out[lane + i * 128] = sum[i];
}
template __global__ void rows<16>(const float*, const float*, float*, int);
template __global__ void rows<64>(const float*, const float*, float*, int);
template __global__ void rows<160>(const float*, const float*, float*, int);

// Two reductions of large arguments share a frame.
__global__ void turned(const float* in, float* out, int n) {  // expect: RP109 info @17 "has 32 bytes per thread in local memory on sm_90: the slow path of `sinf` and `cosf`"
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = sinf(in[t]) + cosf(in[t + n]);
}

// Of one alone nvcc has the slow path in registers or in memory, as here: 32 bytes.
__global__ void turned_once(const float* in, float* out, int n) {  // expect: RP109 info @17 "may have 32 bytes per thread in local memory on sm_90: the slow path of `sinf`"
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = sinf(in[t] / in[t + n]) + in[t + 2 * n];
}

// In double precision one is enough.
__global__ void waved(const double* in, double* out, int n) {  // expect: RP109 info @17 "has 40 bytes per thread" "the slow path of `sin` for arguments from 2^31 on"
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = sin(in[t]);
}

// What is printed is handed over on the stack.
__global__ void shown(const int* in, int n) {  // expect: RP109 info @17 "has 8 bytes per thread" "`printf` needs a frame"
  for (int i = 0; i < n; ++i) printf("%d %d\n", i, in[i]);
}

// As `turned`, in a kernel of which a part is not known: nvcc weighs the table against the whole of it.
template <int N>
__global__ void turned_many(const float* in, float* out, int n) {  // expect: RP109 info @17 "may have 32 bytes per thread in local memory on sm_90: the slow path of `sinf` and `cosf`" "unless nvcc keeps it in registers"
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float kept[N];
  for (int k = 0; k < N; ++k) kept[k] = in[i + k * n];
  float sum = sinf(in[i]) * cosf(in[i + n]);
  for (int k = 0; k < N; ++k) sum += kept[k];
  out[i] = sum;
}
