// Elements of 8 bits are counted as packed: 16 of 255 registers.
#include <cuda_runtime.h>

__global__ void few(const unsigned char* a, unsigned char* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char row[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) row[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 64; ++k) b[k * n + i] = row[64 - 1 - k];
}
