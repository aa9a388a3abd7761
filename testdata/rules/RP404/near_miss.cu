// Not copied, folded, selected among registers, or no table at all.
#include <cuda_runtime.h>

__constant__ float given[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};

__global__ void one_for_all(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static const float w[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
  float s = 0;
  for (int k = 0; k < m; ++k) s += w[k] * given[k] * a[k * n + i];
  b[i] = s;
}

__global__ void unrolled(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};
  float s = 0;
  for (int k = 0; k < 9; ++k) s += w[k] * a[k * n + i];
  b[i] = s;
}

__global__ void few(const int* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[6] = {1, 2, 3, 4, 5, 6};
  b[i] = w[a[i]];
}

__global__ void fours(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[12] = {1, 2, 3, 4, 5, 4, 3, 2, 1, 2, 3, 4};
  float s = 0;
  for (int k = 0; k < m; ++k) s += w[k] * a[k * n + i];
  b[i] = s;
}

__global__ void changed(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[9] = {1, 2, 3, 4, 5, 4, 3, 2, 1};  // expect: RP403
  for (int k = 0; k < m; ++k) w[a[k * n + i]] += 1;
  b[i] = w[a[i]];
}

__global__ void per_thread_values(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[9] = {1, 2, 3, 4, a[i], 4, 3, 2, 1};
  float s = 0;
  for (int k = 0; k < m; ++k) s += w[k] * a[k * n + i];
  b[i] = s;
}

template <unsigned N>
__device__ unsigned hashed(const unsigned* p) {
  constexpr unsigned factors[7] = {3u, 2654435761u, 805459861u, 3674653429u, 2097192037u, 1434869437u, 2165219737u};
  unsigned r = 0;
#pragma unroll
  for (unsigned i = 0; i < N; ++i) r ^= p[i] * factors[i];
  return r;
}
template <unsigned N>
__global__ void hashes(unsigned* o, const unsigned* p) {
  o[threadIdx.x] = hashed<N>(p + threadIdx.x);
}
