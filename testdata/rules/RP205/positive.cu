// Sine and cosine of one angle in CUDA: in one statement, in several, in a device function, in a loop.
#include <cuda_runtime.h>

struct Spin {
  float x, y;
};

__device__ void turn(double angle, double* x, double* y) {
  const double u = *x * cos(angle) - *y * sin(angle);  // expect: RP205 hint @25 "`cos(angle)` and `sin(angle)`" "`sincos` reduces"
  *y = *x * sin(angle) + *y * cos(angle);
  *x = u;
}

__global__ void spins(const float* phase, const double* angle, Spin* out, double* d, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = phase[i];
  out[i].x = cosf(p);  // expect: RP205 hint @14 "`cosf(p)` and `sinf(p)`"
  out[i].y = sinf(p);
  float both = sin(p * 2.0f) * cos(p * 2.0f);  // expect: RP205 @16 "`sincosf` reduces"
  d[i] = sin(angle[i]) / cos(angle[i]);  // expect: RP205 @10 "`sincos` reduces"
  double sum = 0.0;
  for (int j = 0; j < m; ++j) {
    double t = j * angle[i];
    sum += std::sin(t) * both;  // expect: RP205 warning @12 "std::sin(t)" "`sincos` reduces"
    sum -= std::cos(t) * p;
  }
  d[n + i] = sum;
  turn(angle[i], d, d + 1);
}

__global__ void only_one(const float* phase, float* out) {
  out[threadIdx.x] = cosf(phase[threadIdx.x]) * sinf(phase[threadIdx.x]);  // expect: RP205 hint @22 "`sincosf` reduces"
}

__global__ void declared_together(const float* phase, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float p = phase[i], c = cosf(p), s = sinf(p);  // expect: RP205 @27 "cosf(p)"
  out[i] = c * s;
  if (i < n) { float q = p + 1.0f; out[n + i] = cosf(q) - sinf(q); }  // expect: RP205 @49 "cosf(q)"
}

__device__ float wave(float x) { return cosf(x) * sinf(x); }  // expect: RP205 warning @41 "one reduction less on sm_90"

__global__ void sum(const float* phase, float* out, int m) {
  float s = 0.0f;
  for (int j = 0; j < m; ++j) s += wave(phase[j]);
  out[threadIdx.x] = s;
}
