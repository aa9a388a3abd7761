// LDS leaves one wave per SIMD: the copies fit into the registers that are free then.
#include <hip/hip_runtime.h>

__global__ __launch_bounds__(256) void waves(const double* a, double* b, int n) {
  __shared__ double tile[5120];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < 5120; k += 256) tile[k] = a[k];
  __syncthreads();
  double s = 0.0;
  // expect-next-line: RP501 hint @1 "16 copies of `exp` and `sin` in FP64"
#pragma unroll
  for (int k = 0; k < 16; ++k) s += exp(a[k * n + i]) * sin(tile[k]);
  b[i] = s;
}

void run(const double* a, double* b, int n) { waves<<<n / 256, 256>>>(a, b, n); }

// Without launch bounds a thread has 128 registers: the copies were measured to spill.
__global__ void unbound(const double* a, double* b, int n) {  // expect: RP101 warning @17
  __shared__ double tile[5120];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < 5120; k += 256) tile[k] = a[k];
  __syncthreads();
  double s = 0.0;
  // expect-next-line: RP501 warning @1 "16 copies of `exp` and `sin` in FP64"
#pragma unroll
  for (int k = 0; k < 16; ++k) s += exp(a[k * n + i]) * sin(tile[k]);
  b[i] = s;
}

void run_unbound(const double* a, double* b, int n) { unbound<<<n / 256, 256>>>(a, b, n); }
