// An element that is a pointer, a default argument, a value that is handed on: no index into the array moves.
#include <cuda_runtime.h>

__global__ void two_sources(const float* a, const float* b, float* out, int n) {
  const float* source[2] = {a, b};
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) sum += source[0][i] * source[1][i];
  out[threadIdx.x] = sum;
}

__global__ void planes(float* const* p, float* out, int n) {
  float* plane[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) plane[i] = p[i];
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < 4; ++i) out[k] += plane[i][k];
}

__device__ float pick(const float* v, int i = 0) { return v[i] * 2; }

__global__ void first_of(const float* a, float* out) {
  float v[20];
  for (int i = 0; i < 20; ++i) v[i] = a[i];
  out[0] = pick(v) + pick(v, 2) * v[3];
}

__global__ void handed_on(const double* a, double* out, int n) {
  double v[10];
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    v[i] = a[i];
    sum += v[i];
  }
  out[threadIdx.x] = sum;
}

__global__ void kept(const double* a, double* out, int n) {
  double v[10];  // expect: RP403 @10 "`v` of 10 x double" "local memory"
  for (int i = 0; i < n; ++i) v[i] = a[i];
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += v[i] * v[i];
  out[threadIdx.x] = sum;
}
