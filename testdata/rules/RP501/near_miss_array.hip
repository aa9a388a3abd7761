// The counter indexes a private array: unrolling is what keeps it in registers. Floats and short loops are cheap, the
// trip count of the template is a constant, and stores that may alias keep the copies in order.
#include <hip/hip_runtime.h>

template <int N>
__global__ __launch_bounds__(256) void keep(const double* a, double* b, float* f, int width, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) s[k] = exp(a[k * n + i]);
#pragma unroll
  for (int k = 0; k < 4; ++k) b[k * n + i] = s[k] * sin(a[i + k]);
#pragma unroll
  for (int k = 0; k < 16; ++k) f[k * n + i] = expf(f[i] + k);
#pragma unroll
  for (int k = 0; k < N; ++k) b[i] += a[k * n + i];
#pragma unroll
  for (int k = 0; k < width; ++k) b[k * n + i] = a[k * n + i];
}
