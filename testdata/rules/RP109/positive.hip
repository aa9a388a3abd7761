// Three arrays that a loop keeps, none of which is too large alone.
__global__ void __launch_bounds__(128) three(const float* __restrict__ in, float* __restrict__ out, int n) {  // expect: RP109 warning @40 "a thread may have 512" "`c` (192), `b` (192), `a` (192)"
  int t = blockIdx.x * 128 + threadIdx.x;
  float a[192], b[192], c[192];
#pragma unroll
  for (int i = 0; i < 192; ++i) {
    a[i] = in[t + i * n];
    b[i] = in[t + i * n + 7];
    c[i] = in[t + i * n + 9];
  }
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    float s = in[k];
#pragma unroll
    for (int i = 0; i < 192; ++i) {
      a[i] = a[i] * s + b[(i + 5) % 192];
      b[i] = b[i] - c[(i + 7) % 192] * s;
      c[i] = c[i] * s - a[(i + 3) % 192];
    }
  }
#pragma unroll
  for (int i = 0; i < 192; ++i) out[t + i * n] = a[i] + b[i] * c[i];
}

// One instantiation of three.
template <int N>
__global__ void __launch_bounds__(128) rows(const float* __restrict__ q, const float* __restrict__ k,  // expect: RP109 warning @40 "`rows<280>` spills on gfx90a"
                                               float* __restrict__ out, int n) {
  float query[N], sum[N];  // expect: RP402 warning @9 "in `rows<280>`"
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
template __global__ void rows<280>(const float*, const float*, float*, int);


// `float* volatile` makes the pointers volatile, not what they point to: every thread stores and loads them.
__global__ void misplaced(const float* __restrict__ a, float* volatile near, float* volatile far, int n) {  // expect: RP109 warning @17 "16 bytes per thread in scratch memory on gfx90a" "`near` (8 bytes) and `far` (8 bytes) are volatile"
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float d = a[3 * i] * a[3 * i];
    near[i] = d;
    far[i] = a[3 * i + 1] + d;
  }
}
