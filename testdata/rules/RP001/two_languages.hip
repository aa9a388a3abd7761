#include <hip/hip_runtime.h>
#include <sycl/sycl.hpp>

__global__ void scaled(float* p) { p[threadIdx.x] *= 2.0f; }
__global__ void shifted(float* p) { p[threadIdx.x] += 2.0f; }
__device__ float twice(float x) { return 2.0f * x; }
__device__ float half(float x) { return 0.5f * x; }

void run(float* p) {
  scaled<<<1, 64>>>(p);
  shifted<<<1, 64>>>(p);
  shifted<<<2, 64>>>(p);
}

void cleared(sycl::queue& q, float* p) {
  q.parallel_for(64, [=](auto i) { p[i] = 0.0f; });  // expect: RP001 @22 "read as HIP, and this is SYCL"
}
