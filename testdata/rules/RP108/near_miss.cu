// The largest that an SM takes: 1,024 threads, 48 KB of static and 227 KB of dynamic LDS, 64 registers for each.
#include <cuda_runtime.h>

__global__ void scale(float* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f; }

__global__ void stage(float* p) {
  __shared__ float t[12288];
  t[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = t[255 - threadIdx.x];
}

__global__ void stage_more(float* p) {
  extern __shared__ float t[];
  t[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = t[255 - threadIdx.x];
}

// The compiler knows the block size and stays below 64 registers, whatever that costs.
__global__ void __launch_bounds__(1024) wide(float* p, int n) {  // expect: RP104
  float a[96];  // expect: RP402

#pragma unroll
  for (int k = 0; k < 96; ++k) a[k] = p[k * n + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 96; ++k) p[k * n + threadIdx.x] = a[95 - k] * a[k];
}

void run(float* p, int n) {
  scale<<<n, 1024>>>(p);
  scale<<<n, n>>>(p);
  stage<<<n, 256>>>(p);
  cudaFuncSetAttribute(stage_more, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448);
  stage_more<<<n, 256, 232448>>>(p);
  wide<<<n, 1024>>>(p, n);
}
