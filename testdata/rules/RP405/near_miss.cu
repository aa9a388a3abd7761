// nvcc selects whole vectors.
#include <cuda_runtime.h>

__global__ void vectors(const float4* a, const int* key, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[4];
  for (int j = 0; j < 4; ++j) v[j] = a[j * n + i];
  b[i] = v[key[i]].x + v[key[i]].y;
}
