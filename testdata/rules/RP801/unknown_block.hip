// Without a launch in view, or with several, the block size is not settled: information.
#include <hip/hip_runtime.h>

__global__ void columns(const float* a, float* b, int m, int n) {
  __shared__ float s[16][256];  // expect: RP801 info @20 "`s`"
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = 0; k < 16; ++k) s[k][t] = 0.0f;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 16; ++k) s[k][t] += a[(j * 16 + k) * n + i];
  }
  for (int k = 0; k < 16; ++k) b[k * n + i] = s[k][t] * s[15 - k][t];
}
