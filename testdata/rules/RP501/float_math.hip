// Copies of math functions in single precision that clang works on side by side.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) sines(const float* __restrict__ a, float* __restrict__ o, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;
  float s = 0.0f;
// expect-next-line: RP501 warning @1 "32 copies of the body" "side by side"
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    float x = a[t + i * n];
    s += sinf(x);
  }
  o[t] = s;
}

__global__ void __launch_bounds__(256) products(const float* __restrict__ a, float* __restrict__ o, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;
  float s = 0.0f;
// expect-next-line: RP501 warning @1 "32 copies of the body"
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    float x = a[t + i * n];
    s += sinf(x) * expf(x);
  }
  o[t] = s;
}

// As many as a factor says, of a loop whose length is known at run time alone: 187 VGPRs, 32 without the pragma.
__global__ void __launch_bounds__(256) waves_of(const float* __restrict__ a, float* __restrict__ o, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;
  float s = 0.0f;
// expect-next-line: RP501 warning @1 "32 copies of the body" "of 187 registers"
#pragma unroll 32
  for (int j = 0; j < n; ++j) s += sinf(a[j * 64 + t]) * expf(a[j * 64 + t + 1]);
  o[t] = s;
}

// Of more than the allowance for a pragma clang makes the largest part that leaves nothing over: 32 of 64, 157 VGPRs.
__global__ void __launch_bounds__(256) half_of(const float* __restrict__ a, float* __restrict__ o) {
  int t = blockIdx.x * 256 + threadIdx.x;
  float s = 0.0f;
// expect-next-line: RP501 warning @1 "32 copies of the body"
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    float x = a[t + i * 64];
    s += sinf(x) * expf(x);
  }
  o[t] = s;
}
