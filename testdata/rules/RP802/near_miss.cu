// The same without bounds: the band stays below what a thread may have.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) step(const double* w, const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double e0 = w[i] * 2;  // expect: RP301 "computed of loads"
  double e1 = w[1 * n + i] * 3;
  double e2 = w[2 * n + i] * 4;
  double e3 = w[3 * n + i] * 5;
  double e4 = w[4 * n + i] * 6;
  double e5 = w[5 * n + i] * 7;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16];
  }
  double r = e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5];
  for (int k = 6; k < 16; ++k) r += s[k];
  b[i] = r;
}

void run(const double* w, const double* a, double* b, int m, int n) { step<<<n / 256, 256>>>(w, a, b, m, n); }
