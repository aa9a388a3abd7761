// Takes 128 registers of 128: without launch bounds the rest is spilled.
#include <hip/hip_runtime.h>

// expect-next-line: RP101 warning @17
__global__ void sort_row(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double row[64];  // expect: RP402 warning @10 "64 x double (512 bytes per thread) needs 128 registers, and a thread has 128 on gfx90a; by the estimate"
#pragma unroll
  for (int k = 0; k < 64; ++k) row[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 64; k += 2) {
    const double low = row[k] < row[k + 1] ? row[k] : row[k + 1];
    const double high = row[k] < row[k + 1] ? row[k + 1] : row[k];
    row[k] = low;
    row[k + 1] = high;
  }
#pragma unroll
  for (int k = 0; k < 64; ++k) b[k * n + i] = row[k];
}

void run(const double* a, double* b, int n) { sort_row<<<n / 256, 256>>>(a, b, n); }
