// Divisions of 64-bit integers: information in a loop if they may cost a wave, a hint elsewhere.
#include <hip/hip_runtime.h>

__device__ size_t column(size_t k, size_t width) { return k % width; }  // expect: RP206 hint "`k % width`"

__global__ void walk(const float* a, float* b, size_t w, long h, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  size_t k = i;
  for (int j = 0; j < m; ++j) {
    k = (k * 31 + j) % w;  // expect: RP206 hint @9 "`(k * 31 + j) % w` in a loop divides 64-bit integers (`size_t`)"
    s += a[k];
  }
  long row = k;
  row /= h;  // expect: RP206 hint @3 "`row /= h` divides 64-bit integers (`long`)"
  b[i] = s + a[row] + a[column(k, w)];
}

__global__ void __launch_bounds__(256) near_a_step(const float* a, const float* c, float* b, size_t w, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[54];
#pragma unroll
  for (int e = 0; e < 54; ++e) s[e] = 0.0f;
  size_t k = i;
  for (int j = 0; j < m; ++j) {
    k = (k * 31 + j) % w;  // expect: RP206 info @9 "in 32 bits the estimate is 69 -> 61 VGPRs (7 -> 8 waves per SIMD) on gfx90a"
    float v = a[k];
#pragma unroll
    for (int e = 0; e < 54; ++e) s[e] += v * c[e];
  }
#pragma unroll
  for (int e = 0; e < 54; ++e) b[54 * i + e] = s[e];
}

// A macro divides what it gets: said where it is used.
#define WRAPPED(x, n) ((x) % (n))
#define HALF_OF(x) ((x) / 2)

__global__ void wrap(const long* a, long* b, long n, int m) {
  long s = HALF_OF(n);
  for (int j = 0; j < m; ++j) s += WRAPPED(a[j], n);  // expect: RP206 hint @36 "`WRAPPED(a[j], n)` in a loop divides 64-bit integers (`long`)"
  b[threadIdx.x] = s;
}
