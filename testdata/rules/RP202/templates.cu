// Literals in device function templates: what a call makes of them is float.
#include <cuda_runtime.h>

template <typename T>
__device__ T damp(T x, int n) {
  T s = 0;
  for (int i = 0; i < n; ++i) s += x * 0.5 * x / 3.0 + s * 1.5;  // expect: RP202 warning @36 "computed in double in a loop because of `0.5`, `3.0` and `1.5`: 6 FP64 operations"
  return s;
}

template <typename T>
__device__ T wave(T x) {
  return sin(x * 2.5);  // expect: RP202 warning @10 "`sin(x * 2.5)` takes floats, is computed in double because of `2.5`"
}

template <typename T>
__device__ T careful(T x) {
  return x * T(0.5) * x / T(3.0) + x * T(1.5);
}

template <typename T>
__device__ T twice(T x) {
  return damp(x, 4) * 2.0;
}

// nvcc 13.0.88, sm_90, with `T(0.5)` and its like: 25 -> 15, 28 with 40 bytes of stack -> 22 without, 24 -> 14.
__global__ void deduced(float* a, int n) { a[threadIdx.x] = damp(a[threadIdx.x], n) + careful(a[threadIdx.x]); }

__global__ void given(float* a) { a[threadIdx.x] = wave<float>(a[threadIdx.x]); }

__global__ void through(float* a) { a[threadIdx.x] = twice(a[threadIdx.x]); }

__global__ void of_doubles(double* a, int n) { a[threadIdx.x] = damp(a[threadIdx.x], n) + wave(a[threadIdx.x]); }
