// Blocks that fill their waves badly: 64 lanes a wave on gfx90a.
#include <hip/hip_runtime.h>

__global__ void hundred(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

// expect-next-line: RP106 warning @71 "`hundred` is launched with 100 threads per block: 28 of the 128 lanes of its 2 waves of 64 are idle on gfx90a (22%)"
void run(const float* a, float* b, int n) { hundred<<<(n + 99) / 100, 100>>>(a, b, n); }

__global__ void half(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

void run_half(const float* a, float* b, int n) {
  const int threads = 32;
  // expect-next-line: RP106 info @63 "launched with 32 threads per block: 32 of the 64 lanes of its wave of 64 are idle on gfx90a (50%)"
  hipLaunchKernelGGL(half, dim3((n + threads - 1) / threads), dim3(threads), 0, 0, a, b, n);
}

__global__ void plane(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

void run_plane(const float* a, float* b, int n) {
  dim3 block(10, 10);
  plane<<<n / 100, block>>>(a, b, n);  // expect: RP106 warning @20 "launched with 100 threads (10 x 10) per block"
}
