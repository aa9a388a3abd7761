// targets: gfx90a
#include <cuda_runtime.h>

// A print in front of a trap is an assertion in other words: for what never happens.
__global__ void checked(const float* a, float* b, const int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[24];
  for (int k = 0; k < 24; ++k) s[k] = a[k * n + i];
  if (c[i] < 0) {
    printf("no such place: %d\n", c[i]);  // expect: RP204 info "`printf` in device code"
    __trap();
  }
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < 24; ++k) s[k] = s[k] * 0.5f + s[23 - k] * a[j];
  for (int k = 0; k < 24; ++k) b[k * n + i] = s[k];
}

// Here it is a message, and the kernel goes on.
__global__ void told(const float* a, float* b, const int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[24];
  for (int k = 0; k < 24; ++k) s[k] = a[k * n + i];
  if (c[i] < 0) printf("place: %d\n", c[i]);  // expect: RP204 warning "`printf` in device code"
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < 24; ++k) s[k] = s[k] * 0.5f + s[23 - k] * a[j];
  for (int k = 0; k < 24; ++k) b[k * n + i] = s[k];
}
