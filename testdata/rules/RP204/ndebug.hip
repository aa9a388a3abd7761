// The file decides that there are no assertions.
#define NDEBUG
#include <hip/hip_runtime.h>
#include <cassert>

__global__ void __launch_bounds__(256) quiet(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(a[i] >= 0.0f);
  b[i] = a[i];
}

// A project's own word is something else.
#include <cstdio>
__device__ inline int free(int list) { return list + 1; }

__global__ void __launch_bounds__(256) listed(const int* a, int* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = free(a[i]);
}
