// Initialised, small enough for registers, or filled with what each thread reads.
#include <hip/hip_runtime.h>

__global__ void initialised(const int* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[20] = {1, 2, 3, 4, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6};
  b[i] = w[a[i]];
}

__global__ void small(const int* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[6];
  w[0] = 0.1f; w[1] = 0.15f; w[2] = 0.2f; w[3] = 0.25f; w[4] = 0.3f; w[5] = 0.35f;
  b[i] = w[a[i]];
}

__global__ void conditional(const int* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[24];  // expect: RP403
  w[0] = 0.1f; w[1] = 0.15f; w[2] = 0.2f; w[3] = a[i] * 0.5f; w[4] = 0.3f; w[5] = 0.35f;
  w[6] = 0.4f; w[7] = 0.45f; w[8] = 0.5f; w[9] = 0.55f; w[10] = 0.6f; w[11] = 0.65f;
  w[12] = 0.7f; w[13] = 0.75f; w[14] = 0.8f; w[15] = 0.85f; w[16] = 0.9f; w[17] = 0.95f;
  w[18] = 1.0f; w[19] = 1.05f; w[20] = 1.1f; w[21] = 1.15f; w[22] = 1.2f; w[23] = 1.25f;
  b[i] = w[a[i]];
}
