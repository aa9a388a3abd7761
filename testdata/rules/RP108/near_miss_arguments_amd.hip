// Structures by value that are large, and beyond what a toolchain takes.
#include <hip/hip_runtime.h>

struct Small {
  float w[32];
};

struct Weights {
  float w[100];
};

__global__ void read(Weights p, const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * p.w[3];
}

struct Table {
  float w[2000];
};

__global__ void large(Table p, const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * p.w[3];
}
