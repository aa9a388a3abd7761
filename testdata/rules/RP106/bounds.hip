// Without a launch the bound counts, as an upper limit and so as information.
#include <hip/hip_runtime.h>

// expect-next-line: RP106 info @17 "`bound` is bound to 100 threads per block"
__global__ void __launch_bounds__(100) bound(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void __launch_bounds__(192) whole(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

__global__ void __launch_bounds__(1000) launched(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, int n) { launched<<<n, 256>>>(a, b, n); }
