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

// A size that only a default template argument says: one copy of eight bytes, and of four at a time.
template <int bytes, int at_once = 0>
__device__ void copy(void* to, const void* from) {
  constexpr int step = at_once == 0 ? bytes : at_once;
#pragma unroll
  for (int i = 0; i < bytes / step; ++i) {
    if constexpr (step == 4) {
      static_cast<int*>(to)[i] = static_cast<const int*>(from)[i];
    } else if constexpr (step == 8) {
      static_cast<int2*>(to)[i] = static_cast<const int2*>(from)[i];
    }
  }
}

__global__ void packed(const float* a, float* out) {
  int at = 2 * (blockDim.x * blockIdx.x + threadIdx.x);
  float2 v = make_float2(a[at] * 2, a[at + 1] * 3);
  copy<8>(out + at, &v);
  auto put = [&](float x, float y) {
    float2 w = make_float2(x, y);
    copy<8, 4>(out + at + 2, &w);
  };
  put(a[at + 2], a[at + 3]);
}
