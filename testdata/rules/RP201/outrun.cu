// A loop nest with divisions that runs far more often: the call's time does not show, and nvcc may take more registers
// without it. Where the source does not say how often, or next to little work, it is a warning.

__device__ double ratio(const double *t, int n) { return t[n] / t[n + 1]; }

__global__ void beside_divisions(const double *t, const double *c, double *out) {
  double s = 0.0, q = 0.0;
  for (int j = 0; j < 64; ++j)
    for (int k = 0; k < 64; ++k) s += ratio(t, j) * ratio(t, k);
  for (int j = 0; j < 64; ++j) q += pow(c[j], 2.0);  // expect: RP201 info @37 "a loop nest that runs 64 times as often"
  out[threadIdx.x] = s + q;
}

__global__ void one_division(const double *t, const double *c, double *out) {
  double s = 0.0, q = 0.0;
  for (int j = 0; j < 64; ++j)
    for (int k = 0; k < 48; ++k) s += ratio(t, j) * c[k];
  for (int j = 0; j < 64; ++j) q += pow(c[j], 2.0);  // expect: RP201 warning @37
  out[threadIdx.x] = s + q;
}

__global__ void as_often(const double *t, const double *c, double *out) {
  double s = 0.0;
  for (int j = 0; j < 64; ++j)
    for (int k = 0; k < 64; ++k) s += ratio(t, j) * ratio(t, k) + pow(c[j], 2.0);  // expect: RP201 warning @67
  out[threadIdx.x] = s;
}

__global__ void who_knows(const double *t, const double *c, double *out, int m) {
  double s = 0.0, q = 0.0;
  for (int j = 0; j < 64; ++j)
    for (int k = 0; k < m; ++k) s += ratio(t, j) * ratio(t, k);
  for (int j = 0; j < m; ++j) q += pow(c[j], 2.0);  // expect: RP201 warning @36
  out[threadIdx.x] = s + q;
}
