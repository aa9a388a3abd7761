// A grid that leaves SIMDs and slots of a large GPU empty: lanes and slots are not what is missing.
#include <cuda_runtime.h>

__global__ void lanes(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void slots(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, int n) {
  dim3 grid(1, 50), block(100);
  lanes<<<grid, block>>>(a, b, n);  // expect: RP106 hint @17
  const int blocks = 112;
  slots<<<blocks, 32>>>(a, b, n);  // expect: RP106 hint @19
}
