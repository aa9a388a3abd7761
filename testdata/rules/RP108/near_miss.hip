// The largest that a CU takes: 1,024 threads and 64 KB of LDS; registers are capped for 1,024 threads by themselves.
#include <hip/hip_runtime.h>

__global__ void scale(float* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f; }

__global__ void stage(float* p) {
  __shared__ float t[16384];
  t[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = t[255 - threadIdx.x];
}

__global__ void wide(float* p, int n) {  // expect: RP101 warning
  float a[160];  // expect: RP402
#pragma unroll
  for (int k = 0; k < 160; ++k) a[k] = p[k * n + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 160; ++k) p[k * n + threadIdx.x] = a[159 - k] * a[k];
}

void run(float* p, int n) {
  scale<<<n, 1024>>>(p);
  stage<<<n, 1024>>>(p);
  wide<<<n, 1024>>>(p, n);
}
