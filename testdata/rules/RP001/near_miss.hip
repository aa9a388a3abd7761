// not for the compiler: what is broken is no kernel.
#include <hip/hip_runtime.h>

__global__ void fine(float* a) { a[threadIdx.x] += 1.0f; }

int broken(int a) { return a + ; }
