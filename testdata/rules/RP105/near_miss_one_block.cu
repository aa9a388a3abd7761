// A launch of one block, and one of one thread, cannot fill a unit whatever they take.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(64) stage(const float* a, float* b) {
  __shared__ float s[11520];
  for (int k = threadIdx.x; k < 11520; k += 64) s[k] = a[blockIdx.x * 11520 + k];
  __syncthreads();
  b[blockIdx.x * 64 + threadIdx.x] = s[11520 - 1 - threadIdx.x];
}

void run(const float* a, float* b, int n) { stage<<<1, 64>>>(a, b); }
void run_dim3(const float* a, float* b) { stage<<<dim3(1, 1), dim3(64), 0, 0>>>(a, b); }
