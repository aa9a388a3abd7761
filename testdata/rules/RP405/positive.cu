// targets: gfx90a, sm_90
// CUDA sources that are compiled for AMD as well: the finding holds for AMD alone.
#include <cuda_runtime.h>

__global__ void vectors(const float4* a, const int* key, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[4];  // expect: RP405 warning @10 "(4 x float4, 64 bytes)"
  for (int j = 0; j < 4; ++j) v[j] = a[j * n + i];
  b[i] = v[key[i]].x + v[key[i]].y;
}
