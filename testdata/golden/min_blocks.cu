// A second argument of __launch_bounds__ settles how many warps there are: ptxas no longer aims at a full SM.
#include "common.h"

template <int N>
__device__ __forceinline__ void dotted(double* out, const double* a, const double* b, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) sum += a[k * n + t] * b[k * 7 + t];
  out[t] = sum;
}

template <int N>
__device__ __forceinline__ void mixed(double* out, const double* a, const double* b, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double v[N];
#pragma unroll
  for (int k = 0; k < N; ++k) v[k] = a[k * n + t];
  for (int round = 0; round < n; ++round) {
#pragma unroll
    for (int k = 0; k < N; ++k) v[k] = v[k] * v[(k + 1) % N] + b[round];
  }
  double sum = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) sum += v[k];
  out[t] = sum;
}

__global__ void blocks_dot_16(double* out, const double* a, const double* b, int n) { dotted<16>(out, a, b, n); }
__global__ __launch_bounds__(256, 1) void blocks_dot_16_by_1(double* out, const double* a, const double* b, int n) { dotted<16>(out, a, b, n); }
__global__ __launch_bounds__(256, 4) void blocks_dot_16_by_4(double* out, const double* a, const double* b, int n) { dotted<16>(out, a, b, n); }
__global__ void blocks_mixed_10(double* out, const double* a, const double* b, int n) { mixed<10>(out, a, b, n); }
__global__ __launch_bounds__(128, 2) void blocks_mixed_10_by_2(double* out, const double* a, const double* b, int n) { mixed<10>(out, a, b, n); }
