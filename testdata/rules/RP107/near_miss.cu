// Budgets that are kept, that are for another architecture, or for another kernel; text that is none.
#include <cuda_runtime.h>

// regpress: budget vgpr<=128 waves>=1 scratch<=0 lds<=4096
__global__ void __launch_bounds__(256) kept(float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 2.0f * a[i];
}

// regpress: budget vgpr<=1 gfx90a
__global__ void __launch_bounds__(256) elsewhere(float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 2.0f * a[i];
}

// regpress: budget vgpr<=1
int between;
__global__ void __launch_bounds__(256) behind(float* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 2.0f * a[i];
}

const char* text = "regpress: budget vgpr<=1";
