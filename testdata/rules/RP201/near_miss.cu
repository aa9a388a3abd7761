// Powers that nothing can be said about.
#include <cuda_runtime.h>

template <int N>
__device__ double power(double x) {
  return x * power<N - 1>(x);
}

__global__ void powers(const double* a, double* out, double gamma, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[0 * n + i] = pow(a[i], gamma);
  out[1 * n + i] = pow(a[i], 1.5) + pow(a[i], 24.0);
  out[2 * n + i] = pow(10.0, 2);
  out[3 * n + i] = a[i] * a[i];
  out[4 * n + i] = exp2(2.0 * a[i]);
}
