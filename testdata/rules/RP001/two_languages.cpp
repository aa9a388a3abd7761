// not for the compiler: CUDA in a SYCL file.
#include <sycl/sycl.hpp>

__global__ void scaled(float* p) {  // expect: RP001 @1 "read as SYCL" "1 more"
  p[threadIdx.x] *= 2;
}

#ifdef __CUDACC__
__global__ void other_build(float* p) { p[threadIdx.x] *= 2; }
#endif

void run(sycl::queue& queue, float* p) {
  queue.parallel_for(sycl::range<1>(256), [=](sycl::id<1> i) { p[i] += 1; });
  scaled<<<1, 256>>>(p);
}
