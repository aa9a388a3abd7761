// Prints, assertions and allocations that clang pays for.
#include <hip/hip_runtime.h>
#include <cassert>
#include <cstdio>

#define CHECK_CELL(x) do { if (!((x) >= 0.0f)) { printf("bad cell\n"); } } while (0)

__device__ float clamped(float x) {
  assert(x < 1e6f);
  if (x < 0.0f) {
    printf("negative\n");
    return 0.0f;
  }
  return x;
}

__global__ void __launch_bounds__(256) relax(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(n > 0);  // expect: RP204 info @3 "`assert`" "240 bytes"
  float y = a[i + n], z = b[i + n], x = clamped(a[i]);
  if (x == 0.0f) printf("cell %d is zero\n", i);  // expect: RP204 warning @18 "`printf` in device code" "160 bytes of scratch on gfx90a"
  b[i] = x + y * z;
}

__global__ void __launch_bounds__(256) tested(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  CHECK_CELL(a[i]);  // expect: RP204 info @3 "through a macro"
  b[i] = a[i];
}

__global__ void __launch_bounds__(256) heap(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* row = new float[n];  // expect: RP204 warning @16 "`new` and `delete`" "272 bytes"
  for (int k = 0; k < n; ++k) row[k] = a[i + k];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s = 0.5f * s + row[n - 1 - k];
  delete[] row;
  b[i] = s;
}

// Only prints: that is what it is for.
__global__ void show(const float* a, int n) {
  for (int k = 0; k < n; ++k) printf("%f\n", a[k]);  // expect: RP204 hint @31 "`printf`"
}
