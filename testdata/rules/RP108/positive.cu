// Launches that an SM cannot run, and shared memory that ptxas does not take.
#include <cuda_runtime.h>

#ifdef SMALL
#define THREADS 256
#else
#define THREADS 2048
#endif

__global__ void scale(float* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f; }

// expect-next-line: RP108 error @17 "80,000 bytes of static LDS" "at most 49,152" "does not compile"
__global__ void stage(float* p) {
  __shared__ float t[20000];
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

__global__ void wide(float* p, int n) {
  float a[96];
#pragma unroll
  for (int k = 0; k < 96; ++k) a[k] = p[k * n + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 96; ++k) p[k * n + threadIdx.x] = a[95 - k] * a[k];
}

void run(float* p, int n) {
  const int side = 64;
  scale<<<n, 2048>>>(p);              // expect: RP108 error @14 "2,048 threads" "at most 1,024" "the launch fails"
  scale<<<n, dim3(side, side)>>>(p);  // expect: RP108 error @14 "4,096 threads"
  stage<<<n, 256>>>(p);
  stage_more<<<n, 256, 300000>>>(p);  // expect: RP108 error @19 "300,000 bytes of LDS" "at most 232,448"
  stage_more<<<n, 256, 65536>>>(p);   // expect: RP108 info @19 "more than 49,152 only on request"
  wide<<<n, 1024>>>(p, n);            // expect: RP108 error @13 "64 of the 65,536 registers" "the launch fails"
  scale<<<n, THREADS>>>(p);           // expect: RP108 info @14 "2,048 threads"
}

// CUDA takes 64 threads along z.
__global__ void deep(float* a) { a[blockIdx.x * 128 + threadIdx.z] = 1.0f; }
void run_deep(float* a, int n) { deep<<<n, dim3(1, 1, 128)>>>(a); }  // expect: RP108 error "128 threads along z"
__global__ void as_deep_as_can_be(float* a) { a[blockIdx.x * 64 + threadIdx.z] = 1.0f; }
void run_as_deep(float* a, int n) { as_deep_as_can_be<<<n, dim3(1, 1, 64)>>>(a); }
