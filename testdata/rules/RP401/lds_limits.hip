// Scratch traffic costs time by itself: it stays a warning where LDS limits and registers are free.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) stack(const float* a, float* b, int m, int n) {
  __shared__ float tile[10240];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < 10240; k += 256) tile[k] = a[k];
  __syncthreads();
  volatile float s = 0.0f;  // expect: RP401 warning @3
  for (int j = 0; j < m; ++j) s = s + a[j * n + i] * tile[(j * 37 + i) % 10240];
  b[i] = s;
}

void run(const float* a, float* b, int m, int n) { stack<<<n / 256, 256>>>(a, b, m, n); }
