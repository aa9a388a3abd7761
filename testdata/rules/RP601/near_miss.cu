// Read or written seldom enough for selects, or too large for nvcc to copy.
#include <cuda_runtime.h>

struct Taps {
  float weight[20];
};

struct Large {
  float weight[64];
};

__global__ void once(Taps taps, const int* key, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  taps.weight[key[i]] = 1.0f;
  out[i] = taps.weight[0] + taps.weight[19];
}

__global__ void large(Large large, const float* a, float* out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += large.weight[k] * a[k * n + i];
  out[i] = s;
}

__global__ void whole(const Taps taps, const float* a, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < 20; ++k) s += taps.weight[k] * a[k * n + i];
  out[i] = s;
}
