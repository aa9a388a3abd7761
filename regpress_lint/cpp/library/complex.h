// The functions of cuComplex.h and hip_complex.h by what they compile to: the same in float and double, as in C.
// Written for regpress-lint from the documentation of CUDA and HIP.
#pragma once
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef float2 cuComplex;
__host__ __device__ inline float cuCrealf(float2 a) { return a.x; }
__host__ __device__ inline float cuCimagf(float2 a) { return a.y; }
__host__ __device__ inline float2 make_cuFloatComplex(float a, float b) { float2 c; c.x = a; c.y = b; return c; }
__host__ __device__ inline float2 cuConjf(float2 a) { return make_cuFloatComplex(a.x, -a.y); }
__host__ __device__ inline float2 cuCaddf(float2 a, float2 b) { return make_cuFloatComplex(a.x + b.x, a.y + b.y); }
__host__ __device__ inline float2 cuCsubf(float2 a, float2 b) { return make_cuFloatComplex(a.x - b.x, a.y - b.y); }
__host__ __device__ inline float2 cuCmulf(float2 a, float2 b) {
  return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__host__ __device__ inline float2 cuCfmaf(float2 a, float2 b, float2 c) {
  float x = a.x * b.x + c.x, y = b.y * a.x + c.y;
  return make_cuFloatComplex(x - a.y * b.y, a.y * b.x + y);
}
__host__ __device__ inline float2 cuCdivf(float2 a, float2 b) {
  float scale = (float)1 / (fabsf(b.x) + fabsf(b.y));
  float p = a.x * scale, q = a.y * scale, r = b.x * scale, s = b.y * scale, size = (float)1 / (r * r + s * s);
  return make_cuFloatComplex((p * r + q * s) * size, (q * r - p * s) * size);
}
__host__ __device__ inline float cuCabsf(float2 a) {
  float p = fabsf(a.x), q = fabsf(a.y), most = fmaxf(p, q), least = fminf(p, q), share = least / most;
  float size = most * sqrtf((float)1 + share * share);
  return most == 0 || most > (float)3e38 || least > (float)3e38 ? p + q : size;
}
__host__ __device__ inline double cuCreal(double2 a) { return a.x; }
__host__ __device__ inline double cuCimag(double2 a) { return a.y; }
__host__ __device__ inline double2 make_cuDoubleComplex(double a, double b) { double2 c; c.x = a; c.y = b; return c; }
__host__ __device__ inline double2 cuConj(double2 a) { return make_cuDoubleComplex(a.x, -a.y); }
__host__ __device__ inline double2 cuCadd(double2 a, double2 b) { return make_cuDoubleComplex(a.x + b.x, a.y + b.y); }
__host__ __device__ inline double2 cuCsub(double2 a, double2 b) { return make_cuDoubleComplex(a.x - b.x, a.y - b.y); }
__host__ __device__ inline double2 cuCmul(double2 a, double2 b) {
  return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__host__ __device__ inline double2 cuCfma(double2 a, double2 b, double2 c) {
  double x = a.x * b.x + c.x, y = b.y * a.x + c.y;
  return make_cuDoubleComplex(x - a.y * b.y, a.y * b.x + y);
}
__host__ __device__ inline double2 cuCdiv(double2 a, double2 b) {
  double scale = (double)1 / (fabs(b.x) + fabs(b.y));
  double p = a.x * scale, q = a.y * scale, r = b.x * scale, s = b.y * scale, size = (double)1 / (r * r + s * s);
  return make_cuDoubleComplex((p * r + q * s) * size, (q * r - p * s) * size);
}
__host__ __device__ inline double cuCabs(double2 a) {
  double p = fabs(a.x), q = fabs(a.y), most = fmax(p, q), least = fmin(p, q), share = least / most;
  double size = most * sqrt((double)1 + share * share);
  return most == 0 || most > (double)3e38 || least > (double)3e38 ? p + q : size;
}
__host__ __device__ inline float2 make_cuComplex(float a, float b) { return make_cuFloatComplex(a, b); }
__host__ __device__ inline double2 cuComplexFloatToDouble(float2 a) { return make_cuDoubleComplex(a.x, a.y); }
__host__ __device__ inline float2 cuComplexDoubleToFloat(double2 a) { return make_cuFloatComplex((float)a.x, (float)a.y); }
typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef float2 hipComplex;
__host__ __device__ inline float hipCrealf(float2 a) { return a.x; }
__host__ __device__ inline float hipCimagf(float2 a) { return a.y; }
__host__ __device__ inline float2 make_hipFloatComplex(float a, float b) { float2 c; c.x = a; c.y = b; return c; }
__host__ __device__ inline float2 hipConjf(float2 a) { return make_hipFloatComplex(a.x, -a.y); }
__host__ __device__ inline float hipCsqabsf(float2 a) { return a.x * a.x + a.y * a.y; }
__host__ __device__ inline float2 hipCaddf(float2 a, float2 b) { return make_hipFloatComplex(a.x + b.x, a.y + b.y); }
__host__ __device__ inline float2 hipCsubf(float2 a, float2 b) { return make_hipFloatComplex(a.x - b.x, a.y - b.y); }
__host__ __device__ inline float2 hipCmulf(float2 a, float2 b) {
  return make_hipFloatComplex(a.x * b.x - a.y * b.y, a.y * b.x + a.x * b.y);
}
__host__ __device__ inline float2 hipCfmaf(float2 a, float2 b, float2 c) {
  float x = a.x * b.x + c.x, y = b.y * a.x + c.y;
  return make_hipFloatComplex(x - a.y * b.y, a.y * b.x + y);
}
__host__ __device__ inline float2 hipCdivf(float2 a, float2 b) {
  float size = b.x * b.x + b.y * b.y;
  return make_hipFloatComplex((a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size);
}
__host__ __device__ inline float hipCabsf(float2 a) { return sqrtf(hipCsqabsf(a)); }
__host__ __device__ inline double hipCreal(double2 a) { return a.x; }
__host__ __device__ inline double hipCimag(double2 a) { return a.y; }
__host__ __device__ inline double2 make_hipDoubleComplex(double a, double b) { double2 c; c.x = a; c.y = b; return c; }
__host__ __device__ inline double2 hipConj(double2 a) { return make_hipDoubleComplex(a.x, -a.y); }
__host__ __device__ inline double hipCsqabs(double2 a) { return a.x * a.x + a.y * a.y; }
__host__ __device__ inline double2 hipCadd(double2 a, double2 b) { return make_hipDoubleComplex(a.x + b.x, a.y + b.y); }
__host__ __device__ inline double2 hipCsub(double2 a, double2 b) { return make_hipDoubleComplex(a.x - b.x, a.y - b.y); }
__host__ __device__ inline double2 hipCmul(double2 a, double2 b) {
  return make_hipDoubleComplex(a.x * b.x - a.y * b.y, a.y * b.x + a.x * b.y);
}
__host__ __device__ inline double2 hipCfma(double2 a, double2 b, double2 c) {
  double x = a.x * b.x + c.x, y = b.y * a.x + c.y;
  return make_hipDoubleComplex(x - a.y * b.y, a.y * b.x + y);
}
__host__ __device__ inline double2 hipCdiv(double2 a, double2 b) {
  double size = b.x * b.x + b.y * b.y;
  return make_hipDoubleComplex((a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size);
}
__host__ __device__ inline double hipCabs(double2 a) { return sqrt(hipCsqabs(a)); }
__host__ __device__ inline float2 make_hipComplex(float a, float b) { return make_hipFloatComplex(a, b); }
__host__ __device__ inline double2 hipComplexFloatToDouble(float2 a) { return make_hipDoubleComplex(a.x, a.y); }
__host__ __device__ inline float2 hipComplexDoubleToFloat(double2 a) { return make_hipFloatComplex((float)a.x, (float)a.y); }
