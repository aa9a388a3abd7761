// What `measure` is tested with: `python -m tools.measure.measure_fixtures` compiles it for AMD and NVIDIA.
#ifdef __HIP__
#include <hip/hip_runtime.h>
#endif

namespace lbm {
template <typename T, int N>
__global__ void step(T *x, const T *y, int n) {
  __shared__ T tile[N];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x % N] = y[i];
  __syncthreads();
  if (i < n) x[i] = tile[(threadIdx.x + 1) % N] + y[i];
}
template __global__ void step<float, 64>(float *, const float *, int);
template __global__ void step<double, 128>(double *, const double *, int);
}  // namespace lbm

#ifndef SMALL
__device__ __attribute__((noinline)) float helper(float x) { return x * 3 + 1; }

__global__ void indexed(float *x, int n) {
  float v[64];
  for (int j = 0; j < n; ++j) v[j & 63] = x[j];
  x[0] = helper(v[n & 63]);
}

#ifdef __gfx90a__
__global__ void accumulates(float *x) {
  asm volatile("v_accvgpr_write_b32 a9, %0" : : "v"(x[threadIdx.x]) : "a9");
}
#endif

#ifdef __HIP__
#define FEW __launch_bounds__(1024) __attribute__((amdgpu_num_vgpr(16)))
#else
#define FEW __launch_bounds__(1024, 2)
#endif

extern "C" __global__ FEW void spills(float *x, int n) {
  float v[40];
#pragma unroll
  for (int j = 0; j < 40; ++j) v[j] = x[j * n];
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int j = 0; j < 40; ++j) v[j] = v[j] * v[(j + 17) % 40] + x[k];
  }
#pragma unroll
  for (int j = 0; j < 40; ++j) x[j * n + threadIdx.x] = v[j];
}
#endif
