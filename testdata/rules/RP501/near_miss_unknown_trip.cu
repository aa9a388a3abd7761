// On NVIDIA an unknown trip count costs nothing.
#include <cuda_runtime.h>

__global__ __launch_bounds__(256) void product(const double* __restrict__ a, const double* __restrict__ x,
                                               double* __restrict__ y, int width, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double total = 0.0;
#pragma unroll
  for (int k = 0; k < width; ++k) total += a[k * n + i] * x[k];
  y[i] = total;
}

void run(const double* a, const double* x, double* y, int width, int n) {
  product<<<n / 256, 256>>>(a, x, y, width, n);
}
