// Volatile where it means something: memory that other threads see.
#include <cuda_runtime.h>

__global__ void relay(volatile int* flag, int* out) {
  __shared__ volatile int slot[64];
  volatile int* mine = flag + threadIdx.x;
  volatile int* const fixed = flag;
  slot[threadIdx.x] = *mine;
  __syncthreads();
  out[threadIdx.x] = slot[63 - threadIdx.x] + fixed[0];
}
