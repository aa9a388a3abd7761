// LDS limits all three kernels. A tile that a loop fills again was meant to cost waves, as long as each SIMD has one.
#include <hip/hip_runtime.h>

// expect-next-line: RP105 info @17 "limited by LDS (32,768 bytes per block)"
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float left[4096], right[4096];
  float sum = 0.0f;
  for (int k = 0; k < n; k += 64) {
    for (int i = threadIdx.x; i < 4096; i += 256) {
      left[i] = a[k * 64 + i];
      right[i] = b[k * 64 + i];
    }
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += left[threadIdx.x / 4 * 64 + i] * right[i * 64 + threadIdx.x % 64];
    __syncthreads();
  }
  c[blockIdx.x * 256 + threadIdx.x] = sum;
}

// expect-next-line: RP105 info @17 "at most 2 of 32 wave slots"
__global__ void narrow(const float* a, float* c, int n) {
  __shared__ float tile[7168];
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    for (int i = threadIdx.x; i < 7168; i += 64) tile[i] = a[k * 7168 + i];
    __syncthreads();
    for (int i = 0; i < 112; ++i) sum += tile[threadIdx.x + i * 64] * tile[i];
    __syncthreads();
  }
  c[blockIdx.x * 64 + threadIdx.x] = sum;
}

// expect-next-line: RP105 info @17 "limited by LDS (32,768 bytes per block)"
__global__ void columns(const float* a, float* c, int n) {
  __shared__ float own[32][256];
  for (int k = 0; k < 32; ++k) own[k][threadIdx.x] = 0.0f;
  for (int k = 0; k < n; ++k) own[k % 32][threadIdx.x] += a[k * 256 + threadIdx.x];
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) sum += own[k][threadIdx.x] * k;
  c[blockIdx.x * 256 + threadIdx.x] = sum;
}

void run(const float* a, const float* b, float* c, int n) {
  multiply<<<n, 256>>>(a, b, c, n);
  narrow<<<n, 64>>>(a, c, n);
  columns<<<n, 256>>>(a, c, n);
}
