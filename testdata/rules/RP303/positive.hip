// Two recurrences in one loop; once they share what is loaded.
// targets: gfx90a
#include <hip/hip_runtime.h>

__global__ void step(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, s5 = 0.0, s6 = 0.0, s7 = 0.0;
  double s8 = 0.0, s9 = 0.0, s10 = 0.0, s11 = 0.0, s12 = 0.0, s13 = 0.0, s14 = 0.0, s15 = 0.0;
  double t0 = 0.0, t1 = 0.0, t2 = 0.0, t3 = 0.0, t4 = 0.0, t5 = 0.0, t6 = 0.0, t7 = 0.0;
  double t8 = 0.0, t9 = 0.0, t10 = 0.0, t11 = 0.0, t12 = 0.0, t13 = 0.0, t14 = 0.0, t15 = 0.0;
  for (int j = 0; j < m; ++j) {  // expect: RP303 warning @3 "`s0`, `s1`, `s2` and 13 more" "64 registers at a time where 32"
    double x = p[j * n + i];
    s0 = s0 * x + s1;
    s1 = s1 * x + s2;
    s2 = s2 * x + s3;
    s3 = s3 * x + s4;
    s4 = s4 * x + s5;
    s5 = s5 * x + s6;
    s6 = s6 * x + s7;
    s7 = s7 * x + s8;
    s8 = s8 * x + s9;
    s9 = s9 * x + s10;
    s10 = s10 * x + s11;
    s11 = s11 * x + s12;
    s12 = s12 * x + s13;
    s13 = s13 * x + s14;
    s14 = s14 * x + s15;
    s15 = s15 * x + s0;
    double y = q[j * n + i];
    t0 = t0 * y + t1;
    t1 = t1 * y + t2;
    t2 = t2 * y + t3;
    t3 = t3 * y + t4;
    t4 = t4 * y + t5;
    t5 = t5 * y + t6;
    t6 = t6 * y + t7;
    t7 = t7 * y + t8;
    t8 = t8 * y + t9;
    t9 = t9 * y + t10;
    t10 = t10 * y + t11;
    t11 = t11 * y + t12;
    t12 = t12 * y + t13;
    t13 = t13 * y + t14;
    t14 = t14 * y + t15;
    t15 = t15 * y + t0;
  }
  b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11 + s12 + s13 + s14 + s15;
  b[n + i] = t0 + t1 + t2 + t3 + t4 + t5 + t6 + t7 + t8 + t9 + t10 + t11 + t12 + t13 + t14 + t15;
}

__global__ void shared(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, s5 = 0.0, s6 = 0.0, s7 = 0.0;
  double s8 = 0.0, s9 = 0.0, s10 = 0.0, s11 = 0.0, s12 = 0.0, s13 = 0.0, s14 = 0.0, s15 = 0.0;
  double t0 = 0.0, t1 = 0.0, t2 = 0.0, t3 = 0.0, t4 = 0.0, t5 = 0.0, t6 = 0.0, t7 = 0.0;
  double t8 = 0.0, t9 = 0.0, t10 = 0.0, t11 = 0.0, t12 = 0.0, t13 = 0.0, t14 = 0.0, t15 = 0.0;
  for (int j = 0; j < m; ++j) {  // expect: RP303 info @3 "`s0`, `s1`, `s2` and 13 more" "64 registers at a time where 32"
    double x = p[j * n + i];
    s0 = s0 * x + s1;
    s1 = s1 * x + s2;
    s2 = s2 * x + s3;
    s3 = s3 * x + s4;
    s4 = s4 * x + s5;
    s5 = s5 * x + s6;
    s6 = s6 * x + s7;
    s7 = s7 * x + s8;
    s8 = s8 * x + s9;
    s9 = s9 * x + s10;
    s10 = s10 * x + s11;
    s11 = s11 * x + s12;
    s12 = s12 * x + s13;
    s13 = s13 * x + s14;
    s14 = s14 * x + s15;
    s15 = s15 * x + s0;
    t0 = t0 * x + t1;
    t1 = t1 * x + t2;
    t2 = t2 * x + t3;
    t3 = t3 * x + t4;
    t4 = t4 * x + t5;
    t5 = t5 * x + t6;
    t6 = t6 * x + t7;
    t7 = t7 * x + t8;
    t8 = t8 * x + t9;
    t9 = t9 * x + t10;
    t10 = t10 * x + t11;
    t11 = t11 * x + t12;
    t12 = t12 * x + t13;
    t13 = t13 * x + t14;
    t14 = t14 * x + t15;
    t15 = t15 * x + t0;
  }
  b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11 + s12 + s13 + s14 + s15;
  b[n + i] = t0 + t1 + t2 + t3 + t4 + t5 + t6 + t7 + t8 + t9 + t10 + t11 + t12 + t13 + t14 + t15;
}
