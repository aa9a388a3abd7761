// What is compiled out, what stops without a word, and what prints on the host.
#include <hip/hip_runtime.h>
#include <cassert>
#include <cstdio>

#define DEBUG 0
#define SAY(text) ((void)0)

struct Log {
  __device__ void printf(int value) { last = value; }
  int last;
};

__global__ void __launch_bounds__(256) quiet(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Log log;
  log.printf(i);
  if (DEBUG) printf("cell %d\n", i);
  if constexpr (sizeof(float) == 8) printf("double\n");
#ifdef VERBOSE
  printf("verbose\n");
#endif
#ifndef NDEBUG
  if (a[i] < 0.0f) printf("negative\n");
  assert(a[i] >= 0.0f);
#endif
  SAY("nothing");
  assert(true);
  static_assert(sizeof(float) == 4, "");
  if (i >= n) abort();
  b[i] = a[i] + log.last;
}

__global__ void __launch_bounds__(256) placed(char* storage, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* slot = new (storage + 4 * i) float(1.0f);
  b[i] = *slot;
}

void host(float* a) {
  assert(a != nullptr);
  printf("%f\n", a[0]);
}
