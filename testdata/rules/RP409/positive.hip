// Arrays with constant indices whose address goes where clang cannot follow.
#include <hip/hip_runtime.h>

__device__ __attribute__((noinline)) float energy(const float* v) { return v[0] * v[11] + v[5]; }

__global__ void handed(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];  // expect: RP409 warning @9 "`v` (12 x float, 48 bytes)" "`energy`, which is not inlined"
  for (int j = 0; j < 12; ++j) v[j] = a[j * n + i];
  b[i] = energy(v);
}

__global__ void swapped(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[4], y[4];  // expect: RP409 warning @9 "`x`" "a run-time loop swaps with another"
  for (int j = 0; j < 4; ++j) x[j] = a[j * n + i];
  float *from = x, *to = y;
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < 4; ++j) to[j] = 0.5f * from[j] + from[(j + 1) & 3];
    float* t = from;
    from = to;
    to = t;
  }
  b[i] = from[0] + from[3];
}

__global__ void tail(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];  // expect: RP409 warning @9 "`memcpy` gets a size that is known only at run time"
  for (int j = 0; j < 12; ++j) v[j] = 0.0f;
  memcpy(v, a + 12 * i, m * sizeof(float));
  b[i] = v[0] * v[11];
}

__global__ void filled(const float* a, float* b, int n) {
  float v[48];  // expect: RP409 warning @9 "HIP's `memset` is a loop over bytes"
  memset(v, 0, sizeof(v));
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int i = 0; i < 48; ++i) v[i] += a[k * 48 + i];
  }
#pragma unroll
  for (int i = 0; i < 48; ++i) b[i * blockDim.x + threadIdx.x] = v[i];
}
