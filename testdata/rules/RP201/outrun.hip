// A loop nest with divisions that runs far more often: the call's registers are left on gfx9, where it stays a warning.
#include <hip/hip_runtime.h>

__device__ double ratio(const double *t, int n) { return t[n] / t[n + 1]; }

__global__ void beside_divisions(const double *t, const double *c, double *out) {
  double s = 0.0, q = 0.0;
  for (int j = 0; j < 64; ++j)
    for (int k = 0; k < 64; ++k) s += ratio(t, j) * ratio(t, k);
  for (int j = 0; j < 64; ++j) q += pow(c[j], 2.0);  // expect: RP201 warning @37 "a loop nest that runs 64 times as often"
  out[threadIdx.x] = s + q;
}
