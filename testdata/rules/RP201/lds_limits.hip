// A power costs time by itself: it stays a warning where LDS limits and registers are free.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) square(const double* a, double* b, int n) {
  __shared__ double tile[5120];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < 5120; k += 256) tile[k] = a[k];
  __syncthreads();
  if (i < n) b[i] = pow(tile[(i * 37) % 5120], 2.0);  // expect: RP201 warning @21
}

void run(const double* a, double* b, int n) { square<<<(n + 255) / 256, 256>>>(a, b, n); }
