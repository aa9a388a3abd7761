// The header that defines the loop's macro is out of reach: the block behind it is read all the same.
#include "our_helpers.h"
__global__ void scale(const float* a, float* out, int n) {
  HELPER_1D_KERNEL_LOOP(i, n) { out[i] = a[i] * 2.0f; }  // expect: RP001 @3 "line 4 not understood"
}
__global__ void known(const float* a, float* out, int n) {
  CUDA_KERNEL_LOOP(i, n) { out[i] = a[i] * 2.0f; }
}
