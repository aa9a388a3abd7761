// targets: gfx90a
// clang for AMD keeps addresses, and takes more for 32 bits.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) neighbours(double* out, const double* f, const double* g, const long* list, long n, int m) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  long at[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) at[k] = list[k * n + i];
  double sum = 0;
  for (int q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 12; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
  }
  out[i] = sum;
}
