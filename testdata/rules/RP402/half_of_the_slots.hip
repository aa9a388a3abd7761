// An array that costs waves of which enough are left, more than half of the slots: information.
#include <hip/hip_runtime.h>

__global__ void scaled(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float row[76];  // expect: RP402 info @9 "waves per SIMD fit with it"
  float total = 0.0f;
#pragma unroll
  for (int k = 0; k < 76; ++k) {
    row[k] = a[i * 76 + k];
    total += row[k];
  }
#pragma unroll
  for (int k = 0; k < 76; ++k) b[i * 76 + k] = row[k] * total;
}

void run(const float* a, float* b, int n) { scaled<<<n / 256, 256>>>(a, b, n); }
