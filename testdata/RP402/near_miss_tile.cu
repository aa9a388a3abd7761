// A register tile that is accumulated into at constant indices fills the registers on purpose.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) tile(const float* a, const float* b, float* c, int depth, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[8][8];
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int q = 0; q < 8; ++q) sum[r][q] = 0.0f;
  for (int k = 0; k < depth; ++k) {
    float left[8], right[8];
#pragma unroll
    for (int r = 0; r < 8; ++r) left[r] = a[(k * 8 + r) * n + i];
#pragma unroll
    for (int q = 0; q < 8; ++q) right[q] = b[(k * 8 + q) * n + i];
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
      for (int q = 0; q < 8; ++q) sum[r][q] += left[r] * right[q];
  }
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int q = 0; q < 8; ++q) c[(r * 8 + q) * n + i] = sum[r][q];
}

void run(const float* a, const float* b, float* c, int depth, int n) { tile<<<n / 256, 256>>>(a, b, c, depth, n); }

// The same sum, spelled out.
__global__ void spelled_out(const float* a, const float* b, float* c, int n) {
  __shared__ float left[1024], right[1024];
  float acc[64];
  int t = threadIdx.x;
  for (int i = 0; i < 64; ++i) acc[i] = 0.0f;
  for (int k = 0; k < n; ++k) {
    __syncthreads();
    left[t] = a[k * 128 + t];
    right[t] = b[k * 128 + t];
    __syncthreads();
    for (int i = 0; i < 64; ++i) acc[i] = acc[i] + left[i / 8 * 16 + t % 16] * right[i % 8 * 16 + t / 16];
  }
  for (int i = 0; i < 64; ++i) c[i * 128 + t] = acc[i];
}

void run_spelled_out(const float* a, const float* b, float* c, int n) { spelled_out<<<n, 128>>>(a, b, c, n); }
