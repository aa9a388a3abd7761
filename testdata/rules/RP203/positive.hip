// Double-precision routines in loops: their constants fill vector registers on gfx9.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) rates(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double y = pow(a[j], p);  // expect: RP203 info @16 "FP64 `pow` in the loop at line 8" "with `powf` the estimate is 80 -> 42 VGPRs (6 -> 8 waves per SIMD)"
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}

__device__ double screened(double r, double alpha) { return erfc(alpha * r) / r; }  // expect: RP203 warning @61 "`erfc` (and `exp`) in the loop at line 23"

__global__ void __launch_bounds__(256) ewald(const double* a, double* b, double alpha, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double px = a[i], py = a[i + n], pz = a[i + 2 * n];
  double fx = 0.0, fy = 0.0, fz = 0.0, e = 0.0;
  for (int j = 0; j < m; ++j) {
    double dx = px - a[j], dy = py - a[j + n], dz = pz - a[j + 2 * n];
    double r2 = dx * dx + dy * dy + dz * dz, r = sqrt(r2);
    double f = (screened(r, alpha) + 1.1283791670955126 * alpha * exp(-alpha * r2)) / r2;
    fx += f * dx; fy += f * dy; fz += f * dz;
    e += f;
  }
  b[i] = fx + fy + fz + e;
}

__global__ void small(const double* a, double* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
  for (int j = 0; j < m; ++j) s += exp(a[j] * a[i]);  // expect: RP203 hint @36 "FP64 `exp`"
  b[i] = s;
}
