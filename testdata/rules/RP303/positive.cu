// Two recurrences in one loop; once they share what is loaded.
// targets: sm_90
#include <cuda_runtime.h>

__global__ void step(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  double t[16];
  for (int k = 0; k < 16; ++k) t[k] = 0.0;
  for (int j = 0; j < m; ++j) {  // expect: RP303 warning @3 "2 groups" "`s` / `t`" "64 registers at a time where 32"
    double x = p[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
    double y = q[j * n + i];
    for (int k = 0; k < 16; ++k) t[k] = t[k] * y + t[(k + 1) % 16] + y;
  }
  double u = 0.0;
  for (int k = 0; k < 16; ++k) u += s[k];
  b[i] = u;
  double v = 0.0;
  for (int k = 0; k < 16; ++k) v += t[k];
  b[n + i] = v;
}

__global__ void shared(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  double t[16];
  for (int k = 0; k < 16; ++k) t[k] = 0.0;
  for (int j = 0; j < m; ++j) {  // expect: RP303 info @3 "2 groups"
    double x = p[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
    for (int k = 0; k < 16; ++k) t[k] = t[k] * x + t[(k + 1) % 16] + x;
  }
  double u = 0.0;
  for (int k = 0; k < 16; ++k) u += s[k];
  b[i] = u;
  double v = 0.0;
  for (int k = 0; k < 16; ++k) v += t[k];
  b[n + i] = v;
}
