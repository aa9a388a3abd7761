// Small ones, those behind a pointer, and (HIP) one that is written, which is the matter of RP601.
#include <hip/hip_runtime.h>

struct Small {
  float w[32];
};

struct Table {
  float w[2000];
};

struct Unknown;

__global__ void small(Small p, const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * p.w[3];
}

__global__ void behind(const Table* p, const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * p->w[3];
}

__global__ void pointer(Unknown* p, const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * n;
}

__global__ void written(Table p, const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  p.w[1] = a[0];
  b[i] = a[i] * p.w[3];
}
