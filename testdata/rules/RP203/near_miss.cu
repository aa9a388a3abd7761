// nvcc reads the constants from constant memory: silent.
#include <cuda_runtime.h>

__global__ void rates(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double y = pow(a[j], p);
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}
