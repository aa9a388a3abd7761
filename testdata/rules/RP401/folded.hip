// clang folds nothing: a volatile scalar that is read once has an address in scratch.
#include <hip/hip_runtime.h>

__global__ void fold(const float* a, float* b) {
  volatile float x = a[threadIdx.x];  // expect: RP401 warning @3 "`x` (float, 4 bytes)" "scratch memory on gfx90a"
  b[threadIdx.x] = x;
}
