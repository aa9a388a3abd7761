// Elements of an array of structs, given whole in braces and held across a loop.
#include <cuda_runtime.h>

struct Row { float x, y, z, w; };

// nvcc 13.0.88, sm_90: 48 registers, 32 with the loads behind the loop; clang 19.1.7, gfx90a: 94 and 56 VGPRs.
__global__ void rows(const float* __restrict__ a, float* __restrict__ o, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Row e[8];  // expect: RP301 warning @7 "`e` is loaded before the loop at line 12 and used only after it: 32 registers"
  for (int j = 0; j < 8; ++j) e[j] = {a[i + j * n], a[i + j * n + m], a[i + j * n + 2 * m], a[i + j * n + 3 * m]};
  float s = 0;
  for (int t = 0; t < m; ++t) s = s * a[t] + sqrtf(s);
  for (int j = 0; j < 8; ++j) o[i + j * n] = e[j].x * s + e[j].y + e[j].z * e[j].w;
}
