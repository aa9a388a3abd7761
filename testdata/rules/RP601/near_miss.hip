// Arguments that stay where the launch put them.
#include <hip/hip_runtime.h>

struct Bins {
  float count[16];
};

struct Few {
  float at[6];
};

__device__ float pick(const Bins& bins, int i) { return bins.count[i & 15]; }

__global__ void read(Bins bins, const int* key, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = bins.count[key[i] & 15] + pick(bins, key[i] + 1);
}

__global__ void constant(Bins bins, const float* a, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bins.count[3] += a[i];
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += bins.count[k];
  out[i] = s;
}

__global__ void small(Few few, const int* key, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  few.at[key[i] % 6] = 0.0f;
  out[i] = few.at[0];
}

__global__ void memory(Bins* bins, const int* key, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bins->count[key[i] & 15] += 1.0f;
  out[i] = bins->count[0];
}

struct Peers {
  float* buffer[16];
  float* own;
  int many;
};

__global__ void through_pointers(Peers peers, const int* key, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  peers.buffer[key[i]][i] = 1.0f;
  peers.own[i] += peers.many;
  *peers.buffer[key[i] + 1] = 2.0f;
}
