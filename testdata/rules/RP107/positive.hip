// Budgets that are not kept: surely, by a part of the band, on one of the architectures.
#include <hip/hip_runtime.h>

// expect-next-line: RP107 warning @4 "`tiled` exceeds its budget `lds<=1024`: it takes 2,048 bytes of LDS"
// regpress: budget lds<=1024 gfx90a
__global__ void __launch_bounds__(256) tiled(float* a) {
  __shared__ float tile[512];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[threadIdx.x ^ 1];
}

// expect-next-line: RP107 warning @4 "exceeds its budget `registers<=1`: the estimate is"
/* regpress: budget registers<=1 waves>=1 */
template <typename T>
__global__ void __launch_bounds__(256) narrow(T* a, const T* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i] * b[i + 1] + b[i + 2] * b[i + 3];
}
