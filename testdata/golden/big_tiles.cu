// Large tiles of private values: products of 8 x 8 and more over LDS, transforms of tiles in counted loops, unrolled rows.
#include "common.h"

template <int TM, int TN, int BK>
__global__ void tile_product(const float* a, const float* b, float* c, int m, int n, int k) {
  constexpr int BM = TM * 16, BN = TN * 16;
  __shared__ float as[BK][BM];
  __shared__ float bs[BK][BN];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float acc[TM][TN] = {};
  float ra[TM], rb[TN];
  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int l = threadIdx.x; l < BM * BK; l += 256) as[l / BM][l % BM] = a[(blockIdx.y * BM + l % BM) * k + k0 + l / BM];
    for (int l = threadIdx.x; l < BN * BK; l += 256) bs[l / BN][l % BN] = b[(k0 + l / BN) * n + blockIdx.x * BN + l % BN];
    __syncthreads();
    for (int kk = 0; kk < BK; kk++) {
      for (int i = 0; i < TM; i++) ra[i] = as[kk][ty * TM + i];
      for (int j = 0; j < TN; j++) rb[j] = bs[kk][tx * TN + j];
      for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) acc[i][j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; i++)
    for (int j = 0; j < TN; j++) c[(blockIdx.y * BM + ty * TM + i) * n + blockIdx.x * BN + tx * TN + j] = acc[i][j];
}
template __global__ void tile_product<4, 4, 8>(const float*, const float*, float*, int, int, int);
template __global__ void tile_product<8, 4, 8>(const float*, const float*, float*, int, int, int);
template __global__ void tile_product<8, 8, 8>(const float*, const float*, float*, int, int, int);
template __global__ void tile_product<8, 8, 16>(const float*, const float*, float*, int, int, int);
template __global__ void tile_product<12, 8, 8>(const float*, const float*, float*, int, int, int);

template <int TM, int TN, int BK>
__global__ void tile_product_pragma(const float* a, const float* b, float* c, int m, int n, int k) {
  constexpr int BM = TM * 16, BN = TN * 16;
  __shared__ float as[BK * BM];
  __shared__ float bs[BK * BN];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  float acc[TM * TN] = {0.0f};
  float ra[TM], rb[TN];
  for (int k0 = 0; k0 < k; k0 += BK) {
#pragma unroll
    for (int l = 0; l < BM * BK / 256; l++) {
      const int at = threadIdx.x + l * 256;
      as[at] = a[(blockIdx.y * BM + at % BM) * k + k0 + at / BM];
    }
#pragma unroll
    for (int l = 0; l < BN * BK / 256; l++) {
      const int at = threadIdx.x + l * 256;
      bs[at] = b[(k0 + at / BN) * n + blockIdx.x * BN + at % BN];
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; kk++) {
#pragma unroll
      for (int i = 0; i < TM; i++) ra[i] = as[kk * BM + ty * TM + i];
#pragma unroll
      for (int j = 0; j < TN; j++) rb[j] = bs[kk * BN + tx * TN + j];
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) acc[i * TN + j] += ra[i] * rb[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TN; j++) c[(blockIdx.y * BM + ty * TM + i) * n + blockIdx.x * BN + tx * TN + j] = acc[i * TN + j];
}
template __global__ void tile_product_pragma<4, 4, 8>(const float*, const float*, float*, int, int, int);
template __global__ void tile_product_pragma<8, 8, 8>(const float*, const float*, float*, int, int, int);
template __global__ void tile_product_pragma<8, 8, 16>(const float*, const float*, float*, int, int, int);

template <int N>
__device__ void transform_rows(float (&d)[N][N]) {
  for (int i = 0; i < N; i++) {
    const float a = d[i][0] - d[i][2], b = d[i][1] + d[i][2], e = d[i][2] - d[i][1], f = d[i][1] - d[i][3];
    d[i][0] = a;
    d[i][1] = b;
    d[i][2] = e;
    d[i][3] = f;
  }
}

__global__ void winograd_input_4(const float* in, float* out, int width, int tiles) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tiles) return;
  float d[4][4], u[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) d[i][j] = in[(t * 2 + i) * width + t * 2 + j];
  transform_rows<4>(d);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) u[i][j] = d[j][i];
  transform_rows<4>(u);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) out[(i * 4 + j) * tiles + t] = u[j][i];
}

__constant__ float kTransform[6][6];

__global__ void winograd_input_6(const float* in, float* out, int width, int tiles) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tiles) return;
  float d[6][6], v[6][6];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) d[i][j] = in[(t * 4 + i) * width + t * 4 + j];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      float sum = 0.0f;
      for (int k = 0; k < 6; k++) sum += kTransform[i][k] * d[k][j];
      v[i][j] = sum;
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      float sum = 0.0f;
      for (int k = 0; k < 6; k++) sum += v[i][k] * kTransform[j][k];
      out[(i * 6 + j) * tiles + t] = sum;
    }
}

__global__ void winograd_output_8(const float* in, float* out, int tiles) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tiles) return;
  float m[8][8], s[6][8];
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) m[i][j] = in[(i * 8 + j) * tiles + t];
  for (int j = 0; j < 8; j++) {
    const float a = m[1][j] + m[2][j], b = m[1][j] - m[2][j], c = m[3][j] + m[4][j], d = m[3][j] - m[4][j];
    const float e = m[5][j] + m[6][j], f = m[5][j] - m[6][j];
    s[0][j] = m[0][j] + a + c + 32.0f * e;
    s[1][j] = b + 2.0f * d + 16.0f * f;
    s[2][j] = a + 4.0f * c + 8.0f * e;
    s[3][j] = b + 8.0f * d + 4.0f * f;
    s[4][j] = a + 16.0f * c + 2.0f * e;
    s[5][j] = b + 32.0f * d + f + m[7][j];
  }
  for (int i = 0; i < 6; i++) {
    const float a = s[i][1] + s[i][2], b = s[i][1] - s[i][2], c = s[i][3] + s[i][4], d = s[i][3] - s[i][4];
    out[(i * 4 + 0) * tiles + t] = s[i][0] + a + c + s[i][5];
    out[(i * 4 + 1) * tiles + t] = b + 2.0f * d + s[i][6];
    out[(i * 4 + 2) * tiles + t] = a + 4.0f * c + s[i][7];
    out[(i * 4 + 3) * tiles + t] = b + 8.0f * d;
  }
}

template <int N>
__global__ void shared_rows(const float* in, float* out, int width) {
  __shared__ float tile[N][65];
  const int t = threadIdx.x;
#pragma unroll
  for (int k = 0; k < N; k++) tile[k][t] = in[(blockIdx.x * N + k) * width + t];
  __syncthreads();
  float sum = 0.0f, largest = -1e30f;
#pragma unroll
  for (int k = 0; k < N; k++) {
    const float v = tile[k][(t * 7 + k) & 63];
    sum += v * v;
    largest = fmaxf(largest, v);
  }
#pragma unroll
  for (int k = 0; k < N; k++) out[(blockIdx.x * N + k) * width + t] = tile[k][63 - t] * sum + largest;
}
template __global__ void shared_rows<8>(const float*, float*, int);
template __global__ void shared_rows<16>(const float*, float*, int);
template __global__ void shared_rows<32>(const float*, float*, int);
template __global__ void shared_rows<64>(const float*, float*, int);

__global__ void __launch_bounds__(256) dft_16_in_registers(const float2* in, float2* out, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v[16];
  for (int k = 0; k < 16; k++) v[k] = in[i + k * stride];
  for (int span = 8; span >= 1; span /= 2)
    for (int k = 0; k < 16; k++)
      if ((k & span) == 0) {
        const float2 a = v[k], b = v[k + span];
        v[k] = make_float2(a.x + b.x, a.y + b.y);
        v[k + span] = make_float2(a.x - b.x, a.y - b.y);
      }
  for (int k = 0; k < 16; k++) out[i + k * stride] = v[k];
}
