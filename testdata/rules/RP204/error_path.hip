// Prints of an error path: the kernel is left behind them. A print that the kernel goes on after counts as before.
#include <hip/hip_runtime.h>
#include <cassert>
#include <cstdio>

__global__ void __launch_bounds__(256) left(const int* c, const float* a, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) s[k] = a[i + k * n];
  if (c[i] < 0) {
    printf("no such cell: %d\n", c[i]);  // expect: RP204 info @5 "`printf` in device code"
    return;
  }
  float t = 0.0f;
#pragma unroll
  for (int k = 0; k < 64; ++k) t += s[k] * s[(k * 7 + 1) % 64];
  out[i] = t;
}

__global__ void __launch_bounds__(256) goes_on(const int* c, const float* a, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = a[i];
  if (c[i] < 0) {
    printf("cell %d\n", c[i]);  // expect: RP204 info @5 "`printf` in device code"
    s = 0.0f;
  }
  out[i] = s;
}

// By its text a print reports an error, or it shows values on the way.
__global__ void __launch_bounds__(256) reports(const int* c, const float* a, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) s[k] = a[i + k * n];
  if (c[i] < 0) printf("cell %d: index out of range\n", i);  // expect: RP204 info @17 "`printf` in device code"
  float t = 0.0f;
#pragma unroll
  for (int k = 0; k < 64; ++k) t += s[k] * s[(k * 7 + 1) % 64];
  out[i] = t;
}

__global__ void __launch_bounds__(256) shows(const int* c, const float* a, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[72];
#pragma unroll
  for (int k = 0; k < 72; ++k) s[k] = a[i + k * n];
  if (c[i] < 0) printf("cell %d at %d\n", i, c[i]);  // expect: RP204 warning @17 "`printf` in device code"
  float t = 0.0f;
#pragma unroll
  for (int k = 0; k < 72; ++k) t += s[k] * s[(k * 7 + 1) % 72];
  out[i] = t;
}

__global__ void __launch_bounds__(256) stops(const float* a, float* out, int columns) {
  if (columns % 64 != 0) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
      printf("columns: %d\n", columns);  // expect: RP204 info @7 "`printf` in device code"
    }
    __builtin_trap();
  }
  float s[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) s[k] = a[threadIdx.x + k * columns];
  float t = 0.0f;
#pragma unroll
  for (int k = 0; k < 64; ++k) t += s[k] * s[(k * 7 + 1) % 64];
  out[threadIdx.x + blockIdx.x * 256] = t;
}

// Only the condition of an assertion prints, and NDEBUG removes it: the assertion is reported, the print is not.
__device__ bool complain(int n) {
  printf("%d is not an index\n", n);
  return false;
}

__global__ void __launch_bounds__(256) checked(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n || complain(i));  // expect: RP204 "`assert` in device code"
  b[i] = a[i];
}
