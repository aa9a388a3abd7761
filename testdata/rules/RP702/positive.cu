// A kernel that is mostly copies of a function.
#include <cuda_runtime.h>

__device__ double wave(double x, double k) {
  return sin(x * k) * x + k;
}

__device__ double step(double x, double k) {
  const double y = x * x + k, z = (y - 1.5) / (y + x), w = sqrt(z * z + y);
  return (w * y + z) * (x - w) + k * z;
}

__global__ void __launch_bounds__(256) steps(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double s0 = a[0 * n + i];
  const double s1 = a[1 * n + i];
  const double s2 = a[2 * n + i];
  const double s3 = a[3 * n + i];
  const double s4 = a[4 * n + i];
  const double s5 = a[5 * n + i];
  const double s6 = a[6 * n + i];
  const double s7 = a[7 * n + i];
  const double s8 = a[8 * n + i];
  const double s9 = a[9 * n + i];
  const double s10 = a[10 * n + i];
  const double s11 = a[11 * n + i];
  const double s12 = a[12 * n + i];
  const double s13 = a[13 * n + i];
  const double s14 = a[14 * n + i];
  const double s15 = a[15 * n + i];
  const double s16 = a[16 * n + i];
  const double s17 = a[17 * n + i];
  const double s18 = a[18 * n + i];
  const double s19 = a[19 * n + i];
  double r = 0.0;
  r += step(s0, 0.5);  // expect: RP702 hint "20 function bodies are inlined" "most of `step`"
  r += step(s1, 1.5);
  r += step(s2, 2.5);
  r += step(s3, 3.5);
  r += step(s4, 4.5);
  r += step(s5, 5.5);
  r += step(s6, 6.5);
  r += step(s7, 7.5);
  r += step(s8, 8.5);
  r += step(s9, 9.5);
  r += step(s10, 10.5);
  r += step(s11, 11.5);
  r += step(s12, 12.5);
  r += step(s13, 13.5);
  r += step(s14, 14.5);
  r += step(s15, 15.5);
  r += step(s16, 16.5);
  r += step(s17, 17.5);
  r += step(s18, 18.5);
  r += step(s19, 19.5);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
  b[6 * n + i] = s6 * r;
  b[7 * n + i] = s7 * r;
  b[8 * n + i] = s8 * r;
  b[9 * n + i] = s9 * r;
  b[10 * n + i] = s10 * r;
  b[11 * n + i] = s11 * r;
  b[12 * n + i] = s12 * r;
  b[13 * n + i] = s13 * r;
  b[14 * n + i] = s14 * r;
  b[15 * n + i] = s15 * r;
  b[16 * n + i] = s16 * r;
  b[17 * n + i] = s17 * r;
  b[18 * n + i] = s18 * r;
  b[19 * n + i] = s19 * r;
}
