// Launches that a CU cannot run, and LDS that clang does not take.
#include <hip/hip_runtime.h>

__global__ void scale(float* p) { p[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f; }

// expect-next-line: RP108 error @17 "80,000 bytes of LDS" "gfx90a gives at most 65,536" "does not compile"
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

void run(float* p, int n) {
  scale<<<n, 2048>>>(p);  // expect: RP108 error @14 "2,048 threads" "at most 1,024" "the launch fails"
  stage<<<n, 256>>>(p);
  hipLaunchKernelGGL(stage_more, dim3(n), dim3(256), 65540, 0, p);  // expect: RP108 error @43 "65,540 bytes of LDS"
}

// clang compiles it for 256 threads, and the run time refuses more.
__global__ void __attribute__((amdgpu_flat_work_group_size(1, 256))) small(float* p) { p[threadIdx.x] *= 2.0f; }

void run_small(float* p, int n) {
  small<<<n, 512>>>(p);  // expect: RP108 error @14 "512 threads per block" "for at most 256"
  small<<<n, 256>>>(p);
}
