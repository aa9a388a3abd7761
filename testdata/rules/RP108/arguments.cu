// Structures by value that are large, and beyond what a toolchain takes.
#include <cuda_runtime.h>

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

__global__ void large(Table p, const float* a, float* b, int n) {  // expect: RP108 info "8,020 bytes of arguments" "CUDA before 12.1 takes 4,096"
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * p.w[3];
}

struct Huge {
  float w[9000];
};

__global__ void huge(Huge p, const float* a, float* b, int n) {  // expect: RP108 error "CUDA takes 32,764 on sm_90"
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * p.w[3];
}
