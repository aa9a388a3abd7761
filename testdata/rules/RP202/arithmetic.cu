// Plain arithmetic of floats that stays double, and what compilers turn back into float.
#include <cuda_runtime.h>

#define HALF 0.5
typedef float real;

template <class T>
__device__ T mixed(T x, T y) { return 0.5 * x * y + 0.25; }

__device__ float clamp01(float x) { return x; }

__global__ void stays(const float* a, float* b, int* c, int n, float h) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], s = 0.0f;
  for (int k = 0; k < n; ++k) {
    s += h * (1.0 - x);  // expect: RP202 @10 "`h * (1.0 - x)` and 4 more expressions of floats are computed in double in a loop"
    x = 0.5 * h * x;
    if (x > HALF * h) x -= 0.1;
  }
  c[i] = (int)(x * 0.5);
  b[i] = s;
}

__global__ void once(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = clamp01(2.0 * a[i] - 1.0) / (0.1 + n);  // expect: RP202 info @10 "1 more expression of floats are computed in double because of `0.1`, `2.0` and `1.0`: 4 FP64 operations (1 division)"
}

__global__ void turned_back(const float* a, const double* d, float* b, double* e, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], y = a[i + n];
  for (int k = 0; k < n; ++k) {
    x = 0.5 * x;
    y = 1.0 - y;
    x += 1.0;
    y *= 2.0;
    x = x * y / 3.0;
    y = (x + y) * -0.25;
    if (x > 0.5 && y != 1.0) x = y > 0 ? 1.0 - x : 0.1;
  }
  x += 0.5f * y;
  b[i] = 1.0 * x * y;
  b[i + n] = mixed(d[i], d[i + 1]);
  double wide = 0.5 * x * y;
  e[i] = wide + 0.1 * d[i];
  b[i + 2 * n] = 0.5 * x * d[i];
}

__global__ void of_another_name(const real* a, real* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0.5 * a[i] * a[i] + 0.25 * a[i + n];  // expect: RP202 @10 "4 FP64 operations"
}

// nvcc drops the sign and multiplies in float; `2.0` stays.
__global__ void signs(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) b[i + k] = -1.0 * a[i + k] * a[i];  // expect: RP202 hint @42
}

__global__ void doubled(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) b[i + k] = 2.0 * a[i + k] * a[i];  // expect: RP202 warning "2 FP64 operations"
}
