// A register tile that is accumulated into at constant indices fills the registers on purpose.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

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

// Weights of a layer that stay in registers: parts of matrices are there on purpose.
__global__ void __launch_bounds__(128) layer(const __half* weights, const __half* in, float* out, int rounds) {
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::col_major> weight[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) nvcuda::wmma::load_matrix_sync(weight[i], weights + 16 * i, 256);
  for (int r = 0; r < rounds; ++r) {
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> row;
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;
    nvcuda::wmma::fill_fragment(sum, 0.0f);
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      nvcuda::wmma::load_matrix_sync(row, in + 16 * (r * 16 + i), 256);
      nvcuda::wmma::mma_sync(sum, row, weight[i], sum);
    }
    nvcuda::wmma::store_matrix_sync(out + r * 256, sum, 16, nvcuda::wmma::mem_row_major);
  }
}
