// Elements of 8 bits are counted as packed, and never more than information.
#include <hip/hip_runtime.h>

// expect-next-line: RP104 warning @17 "caps it at 128 registers on gfx90a"
__global__ void __launch_bounds__(1024) many(const unsigned char* a, unsigned char* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char row[384];  // expect: RP402 info @17 "384 x unsigned char (384 bytes per thread) needs 96 registers if packed, and a thread has 128 on gfx90a"
#pragma unroll
  for (int k = 0; k < 384; ++k) row[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 384; ++k) b[k * n + i] = row[384 - 1 - k];
}

// 16 of 128 registers if packed.
__global__ void __launch_bounds__(1024) few(const unsigned char* a, unsigned char* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char row[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) row[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 64; ++k) b[k * n + i] = row[64 - 1 - k];
}
