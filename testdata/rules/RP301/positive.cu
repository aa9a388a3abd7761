// 16 doubles are loaded before a loop that does not touch them.
#include <cuda_runtime.h>

__global__ __launch_bounds__(256) void step(const double* mass, const double* a, double* out, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double m0 = mass[0 * n + i];  // expect: RP301 @16 "`m0`, `m1`, `m2` and 13 more" "32 registers held"
  const double m1 = mass[1 * n + i];
  const double m2 = mass[2 * n + i];
  const double m3 = mass[3 * n + i];
  const double m4 = mass[4 * n + i];
  const double m5 = mass[5 * n + i];
  const double m6 = mass[6 * n + i];
  const double m7 = mass[7 * n + i];
  const double m8 = mass[8 * n + i];
  const double m9 = mass[9 * n + i];
  const double m10 = mass[10 * n + i];
  const double m11 = mass[11 * n + i];
  const double m12 = mass[12 * n + i];
  const double m13 = mass[13 * n + i];
  const double m14 = mass[14 * n + i];
  const double m15 = mass[15 * n + i];
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, s5 = 0.0, s6 = 0.0, s7 = 0.0, s8 = 0.0, s9 = 0.0, s10 = 0.0, s11 = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double v = a[k * n + i];
    s0 += v * (v + s1);
    s1 += v * (v + s2);
    s2 += v * (v + s3);
    s3 += v * (v + s4);
    s4 += v * (v + s5);
    s5 += v * (v + s6);
    s6 += v * (v + s7);
    s7 += v * (v + s8);
    s8 += v * (v + s9);
    s9 += v * (v + s10);
    s10 += v * (v + s11);
    s11 += v * (v + s0);
  }

  out[0 * n + i] = m0 + s0;
  out[1 * n + i] = m1 + s1;
  out[2 * n + i] = m2 + s2;
  out[3 * n + i] = m3 + s3;
  out[4 * n + i] = m4 + s4;
  out[5 * n + i] = m5 + s5;
  out[6 * n + i] = m6 + s6;
  out[7 * n + i] = m7 + s7;
  out[8 * n + i] = m8 + s8;
  out[9 * n + i] = m9 + s9;
  out[10 * n + i] = m10 + s10;
  out[11 * n + i] = m11 + s11;
  out[12 * n + i] = m12 + s0;
  out[13 * n + i] = m13 + s1;
  out[14 * n + i] = m14 + s2;
  out[15 * n + i] = m15 + s3;
}

void run(const double* mass, const double* a, double* out, int steps, int n) {
  step<<<n / 256, 256>>>(mass, a, out, steps, n);
}
