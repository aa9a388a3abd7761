// Functions of which the copies hold little, few copies, and a loop that stays one.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) exponentials(const float* __restrict__ a, float* __restrict__ o, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;
  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    float x = a[t + i * n];
    s += expf(x);
  }
  o[t] = s;
}

__global__ void __launch_bounds__(256) logarithms(const float* __restrict__ a, float* __restrict__ o, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;
  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    float x = a[t + i * n];
    s += logf(x);
  }
  o[t] = s;
}

__global__ void __launch_bounds__(256) four(const float* __restrict__ a, float* __restrict__ o, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;
  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float x = a[t + i * n];
    s += sinf(x) * expf(x);
  }
  o[t] = s;
}

__global__ void __launch_bounds__(256) rolled(const float* __restrict__ a, float* __restrict__ o, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;
  float s = 0.0f;
#pragma unroll 1
  for (int i = 0; i < 32; ++i) {
    float x = a[t + i * n];
    s += sinf(x) * expf(x);
  }
  o[t] = s;
}
