// ELLPACK sparse product with the unroll bounded to 4.
// launch: block=256 dynamic_lds=0
#include <hip/hip_runtime.h>

__global__ __launch_bounds__(256) void ell_product(const double* value, const int* column, const double* x,
                                                   double* y, double alpha, int width, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  double total = 0.0;
#pragma unroll 4
  for (int k = 0; k < width; ++k) {
    const int at = k * rows + i;
    total += value[at] * x[column[at]];
  }
  y[i] = alpha * total + y[i];
}

void multiply(const double* value, const int* column, const double* x, double* y, double alpha, int width, int rows,
              hipStream_t stream) {
  ell_product<<<(rows + 255) / 256, 256, 0, stream>>>(value, column, x, y, alpha, width, rows);
}
