// Twelve doubles of two operations each, written in front of the loop and needed again behind it.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) step(const double* w, const double* a, double* b, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double u = w[i], v = w[n + i];
  const double e0 = u * 0.5 + v;  // expect: RP304 hint "`e0`, `e1`, `e2` and 9 more: 24 registers" "2 operations at most"
  const double e1 = u * 1.5 + v;
  const double e2 = u * 2.5 + v;
  const double e3 = u * 3.5 + v;
  const double e4 = u * 4.5 + v;
  const double e5 = u * 5.5 + v;
  const double e6 = u * 6.5 + v;
  const double e7 = u * 7.5 + v;
  const double e8 = u * 8.5 + v;
  const double e9 = u * 9.5 + v;
  const double e10 = u * 10.5 + v;
  const double e11 = u * 11.5 + v;
  b[1 * n + i] = e0;
  b[2 * n + i] = e1;
  b[3 * n + i] = e2;
  b[4 * n + i] = e3;
  b[5 * n + i] = e4;
  b[6 * n + i] = e5;
  b[7 * n + i] = e6;
  b[8 * n + i] = e7;
  b[9 * n + i] = e8;
  b[10 * n + i] = e9;
  b[11 * n + i] = e10;
  b[12 * n + i] = e11;
  double s[18];
  for (int k = 0; k < 18; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    const double x = a[j * n + i];
    for (int k = 0; k < 18; ++k) s[k] = s[k] * x + s[(k + 1) % 18];
  }
  double r = u + v;
  r += e0 * s[0];
  r += e1 * s[1];
  r += e2 * s[2];
  r += e3 * s[3];
  r += e4 * s[4];
  r += e5 * s[5];
  r += e6 * s[6];
  r += e7 * s[7];
  r += e8 * s[8];
  r += e9 * s[9];
  r += e10 * s[10];
  r += e11 * s[11];
  for (int k = 0; k < 18; ++k) r += s[k];
  b[i] = r;
}
