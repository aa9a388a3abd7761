// not for the compiler: the second kernel is broken.
#include <hip/hip_runtime.h>

__global__ void fine(float* a) { a[threadIdx.x] += 1.0f; }

__global__ void broken(float* a) {
  a[threadIdx.x] = 1.0f + ;  // expect: RP001 info "kernel `broken` was not read whole: line 7 not understood"
}
