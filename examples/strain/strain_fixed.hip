#include <hip/hip_runtime.h>

__global__ __launch_bounds__(256) void strain(const double4* __restrict__ rotation, const double* __restrict__ u,
                                              const double* __restrict__ w, double4* __restrict__ out,
                                              int points, int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  double e0 = 0.0, e1 = 0.0, e2 = 0.0, e3 = 0.0;
  for (int p = 0; p < points; ++p) {
    const double x = u[p * cells + i];
    const double weight = w[p];
    e0 += weight * x;
    e1 += weight * sqrt(x);
    e2 += weight * exp(-x);
    e3 += weight / x;
  }
  const double4 r0 = rotation[i];
  const double4 r1 = rotation[cells + i];
  const double4 r2 = rotation[2 * cells + i];
  const double4 r3 = rotation[3 * cells + i];
  out[i] = make_double4(r0.x * e0 + r0.y * e1 + r0.z * e2 + r0.w * e3,
                        r1.x * e0 + r1.y * e1 + r1.z * e2 + r1.w * e3,
                        r2.x * e0 + r2.y * e1 + r2.z * e2 + r2.w * e3,
                        r3.x * e0 + r3.y * e1 + r3.z * e2 + r3.w * e3);
}
