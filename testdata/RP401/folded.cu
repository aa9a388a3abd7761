// nvcc folds volatile scalars that no loop carries, and small arrays at constant indices.
#include <cuda_runtime.h>

__global__ void fold(const float* a, float* b) {
  volatile float x = a[threadIdx.x];
  volatile float few[8];  // expect: RP401 hint @3 "few"
  few[0] = x;
  few[1] = few[0] * 2.0f;
  b[threadIdx.x] = few[1];
}
