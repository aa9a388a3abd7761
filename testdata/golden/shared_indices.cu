// Indices that several arrays share, reads that several unrolled loops make, and sums without a sign that never wrap around.
#include "common.h"

// Sixteen fields of a lattice by a stride of run time, from one array to another.
__global__ void relaxed_fields(const float* in, float* out, int stride, float rate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float field[16], sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; k++) {
    field[k] = in[i + k * stride];
    sum += field[k];
  }
#pragma unroll
  for (int k = 0; k < 16; k++) out[i + k * stride] = field[k] + rate * (sum * 0.0625f - field[k]);
}

__global__ void scaled_fields32(const float* in, float* out, int stride, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float field[32], most = 0.0f;
#pragma unroll
  for (int k = 0; k < 32; k++) {
    field[k] = in[(i + first * k) * 3 + stride];
    most = fmaxf(most, field[k]);
  }
#pragma unroll
  for (int k = 0; k < 32; k++) out[(i + first * k) * 3 + stride] = field[k] / most;
}

// The same with indices that no sum leads from one to the next.
__global__ void mixed_fields(const float* in, float* out, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float field[16], sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; k++) {
    field[k] = in[i ^ (k * stride)];
    sum += field[k];
  }
#pragma unroll
  for (int k = 0; k < 16; k++) out[i ^ (k * stride)] = field[k] * sum;
}

// A stride of 64 bits.
__global__ void wide_strides(const float* in, float* out, size_t stride) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  float field[16], sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; k++) {
    field[k] = in[i + k * stride];
    sum += field[k];
  }
#pragma unroll
  for (int k = 0; k < 16; k++) out[i + k * stride] = field[k] * sum;
}

// Largest, sum and quotient: three loops over the same 32 reads.
__global__ void normalised_row32(const float* __restrict__ in, float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float most = -1e30f, sum = 0.0f;
  for (int k = 0; k < 32; k++) most = fmaxf(most, in[i + k * 64]);
  for (int k = 0; k < 32; k++) sum += __expf(in[i + k * 64] - most);
  for (int k = 0; k < 32; k++) out[i + k * 64] = __expf(in[i + k * 64] - most) / sum;
}

__global__ void normalised_row8(const float* __restrict__ in, float* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float most = -1e30f, sum = 0.0f;
  for (int k = 0; k < 8; k++) most = fmaxf(most, in[i + k * 64]);
  for (int k = 0; k < 8; k++) sum += __expf(in[i + k * 64] - most);
  for (int k = 0; k < 8; k++) out[i + k * 64] = __expf(in[i + k * 64] - most) / sum;
}

// The pool of a generator: no bit of the block's part is in the thread's or the row's.
__global__ void pool_rows(const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float pool[2048];
  const unsigned first = 2048u * blockIdx.x;
#pragma unroll
  for (int k = 0; k < 8; k++) pool[threadIdx.x + 256 * k] = in[first + threadIdx.x + 256 * k];
  __syncthreads();
  for (int k = 0; k < 8; k++) out[first + threadIdx.x + 256 * k] = pool[(threadIdx.x * 7 + 256 * k) & 2047];
}

// Rows that may wrap around.
__global__ void pool_rows_from(const float* __restrict__ in, float* __restrict__ out, unsigned first) {
  __shared__ float pool[2048];
#pragma unroll
  for (int k = 0; k < 8; k++) pool[threadIdx.x + 256 * k] = in[first + threadIdx.x + 256 * k];
  __syncthreads();
  for (int k = 0; k < 8; k++) out[first + threadIdx.x + 256 * k] = pool[(threadIdx.x * 7 + 256 * k) & 2047];
}
