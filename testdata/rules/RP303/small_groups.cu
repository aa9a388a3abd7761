// Many small groups: arrays whose elements meet at one index alone, and sums in variables of their own.
#include <cuda_runtime.h>

__global__ void extremes(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  float lo[24], hi[24], sum[24];
  for (int k = 0; k < 24; ++k) {
    lo[k] = 1e30f;
    hi[k] = -1e30f;
    sum[k] = 0.0f;
  }
  for (int r = 0; r < n; ++r) {  // expect: RP303 @3 "72 elements of `lo`, `hi` and `sum`" "72 registers at a time" "where 36 would do"
    for (int k = 0; k < 24; ++k) {
      float v = a[g + (r * 24 + k) * m];
      lo[k] = fminf(lo[k], v);
      hi[k] = fmaxf(hi[k], v);
      sum[k] += v;
    }
  }
  for (int k = 0; k < 24; ++k) {
    o[g + k * m] = lo[k];
    o[g + (24 + k) * m] = hi[k];
    o[g + (48 + k) * m] = sum[k];
  }
}

// An element of one array meets the neighbour of the other: no half can run alone.
__global__ void neighbours(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  float s[32], t[32];
  for (int k = 0; k < 32; ++k) s[k] = t[k] = 0.0f;
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < 32; ++k) {
      s[k] += a[g + (r * 32 + k) * m];
      t[k] += s[(k + 1) % 32];
    }
  }
  for (int k = 0; k < 32; ++k) o[g + k * m] = s[k] + t[k];
}

__global__ void variables(const double* __restrict__ a, double* __restrict__ o, int n, int m) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  double s8 = 0, s9 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0, s14 = 0, s15 = 0;
  double s16 = 0, s17 = 0, s18 = 0, s19 = 0, s20 = 0, s21 = 0, s22 = 0, s23 = 0;
  for (int r = 0; r < n; ++r) {  // expect: RP303 @3 "2 groups of values" "48 registers at a time where 24 would do"
    s0 += a[g + (r * 24 + 0) * m];
    s1 += a[g + (r * 24 + 1) * m];
    s2 += a[g + (r * 24 + 2) * m];
    s3 += a[g + (r * 24 + 3) * m];
    s4 += a[g + (r * 24 + 4) * m];
    s5 += a[g + (r * 24 + 5) * m];
    s6 += a[g + (r * 24 + 6) * m];
    s7 += a[g + (r * 24 + 7) * m];
    s8 += a[g + (r * 24 + 8) * m];
    s9 += a[g + (r * 24 + 9) * m];
    s10 += a[g + (r * 24 + 10) * m];
    s11 += a[g + (r * 24 + 11) * m];
    s12 += a[g + (r * 24 + 12) * m];
    s13 += a[g + (r * 24 + 13) * m];
    s14 += a[g + (r * 24 + 14) * m];
    s15 += a[g + (r * 24 + 15) * m];
    s16 += a[g + (r * 24 + 16) * m];
    s17 += a[g + (r * 24 + 17) * m];
    s18 += a[g + (r * 24 + 18) * m];
    s19 += a[g + (r * 24 + 19) * m];
    s20 += a[g + (r * 24 + 20) * m];
    s21 += a[g + (r * 24 + 21) * m];
    s22 += a[g + (r * 24 + 22) * m];
    s23 += a[g + (r * 24 + 23) * m];
  }
  o[g + 0 * m] = s0;
  o[g + 1 * m] = s1;
  o[g + 2 * m] = s2;
  o[g + 3 * m] = s3;
  o[g + 4 * m] = s4;
  o[g + 5 * m] = s5;
  o[g + 6 * m] = s6;
  o[g + 7 * m] = s7;
  o[g + 8 * m] = s8;
  o[g + 9 * m] = s9;
  o[g + 10 * m] = s10;
  o[g + 11 * m] = s11;
  o[g + 12 * m] = s12;
  o[g + 13 * m] = s13;
  o[g + 14 * m] = s14;
  o[g + 15 * m] = s15;
  o[g + 16 * m] = s16;
  o[g + 17 * m] = s17;
  o[g + 18 * m] = s18;
  o[g + 19 * m] = s19;
  o[g + 20 * m] = s20;
  o[g + 21 * m] = s21;
  o[g + 22 * m] = s22;
  o[g + 23 * m] = s23;
}
