// A pragma whose factor copies a part of a long loop of math in single precision.
#include <hip/hip_runtime.h>

// clang 19.1.7, gfx90a: 79 VGPRs, 6 waves; 18 VGPRs, 8 waves with `#pragma unroll 1`.
__global__ void __launch_bounds__(256) walked(const float* __restrict__ a, float* __restrict__ o) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int j = 0;
#pragma unroll 32  // expect: RP501 warning @1 "makes 32 copies of the body, whose calls are worked on side by side"
  while (j < 1024) {
    s += sinf(a[j]) * expf(s * a[i]);
    ++j;
  }
  o[i] = s;
}

// 92 VGPRs, 5 waves.
__global__ void __launch_bounds__(256) counted(const float* __restrict__ a, float* __restrict__ o) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 16  // expect: RP501 warning @1 "makes 16 copies of the body"
  for (int j = 0; j < 1024; ++j) s += sinf(a[j + i]) * expf(a[i] + j);
  o[i] = s;
}

// 44 VGPRs, 27 without: 8 waves either way.
__global__ void __launch_bounds__(256) powers(const float* __restrict__ a, float* __restrict__ o) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 32
  for (int j = 0; j < 1024; ++j) s += powf(a[j + i], 1.5f);
  o[i] = s;
}
