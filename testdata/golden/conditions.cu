// Conditions within expressions: what `?:`, `&&` and `||` guard with a read in it is a branch to a compiler, as `if` is.
#include "common.h"

template <int N>
__global__ void conditions_chain(const float *__restrict__ a, const float *__restrict__ b, const int *__restrict__ solid,
                             float *__restrict__ out, int nx, int ny, float w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    const int e = (i + k + 1) % nx;
    const bool moves = j == ny - 2 && !solid[e + j * nx] && a[e + j * nx] - w > 0.0f && b[e + j * nx] - w > 0.0f;
    const float t = moves ? a[e + k * nx] + w : b[e + k * nx];
    sum += t * t;
  }
  out[j * nx + i] = sum;
}
template __global__ void conditions_chain<2>(const float *, const float *, const int *, float *, int, int, float);
template __global__ void conditions_chain<6>(const float *, const float *, const int *, float *, int, int, float);
template __global__ void conditions_chain<12>(const float *, const float *, const int *, float *, int, int, float);

template <int N>
__global__ void conditions_kept(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n,
                            float w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[N], largest = 0.0f;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    v[k] = i + k < n && a[i + k * n] > w ? a[i + 2 * k * n] : b[i + k * n];
    largest = v[k] > largest ? v[k] : largest;
  }
#pragma unroll
  for (int k = 0; k < N; ++k) out[i + k * n] = v[k] / largest;
}
template __global__ void conditions_kept<2>(const float *, const float *, float *, int, float);
template __global__ void conditions_kept<8>(const float *, const float *, float *, int, float);
template __global__ void conditions_kept<16>(const float *, const float *, float *, int, float);

template <int N>
__global__ void conditions_padded(const float *__restrict__ a, float *__restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll
  for (int k = -N; k <= N; ++k) sum += i + k >= 0 && i + k < n ? a[i + k] * (k + 20) : 0.0f;
  out[i] = sum;
}
template __global__ void conditions_padded<2>(const float *, float *, int);
template __global__ void conditions_padded<8>(const float *, float *, int);

// The same with `if`.
template <int N> __global__ void conditions_padded_if(const float *__restrict__ a, float *__restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll
  for (int k = -N; k <= N; ++k)
    if (i + k >= 0 && i + k < n) sum += a[i + k] * (k + 20);
  out[i] = sum;
}
template __global__ void conditions_padded_if<2>(const float *, float *, int);
template __global__ void conditions_padded_if<8>(const float *, float *, int);

__global__ void conditions_tile(const float *__restrict__ a, float *__restrict__ out, int width, int height) {
  __shared__ float tile[18][18];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y + 1][threadIdx.x + 1] = x < width && y < height ? a[y * width + x] : 0.0f;
  if (threadIdx.x == 0) tile[threadIdx.y + 1][0] = x > 0 && y < height ? a[y * width + x - 1] : 0.0f;
  if (threadIdx.x == 15) tile[threadIdx.y + 1][17] = x + 1 < width && y < height ? a[y * width + x + 1] : 0.0f;
  if (threadIdx.y == 0) tile[0][threadIdx.x + 1] = y > 0 && x < width ? a[(y - 1) * width + x] : 0.0f;
  if (threadIdx.y == 15) tile[17][threadIdx.x + 1] = y + 1 < height && x < width ? a[(y + 1) * width + x] : 0.0f;
  __syncthreads();
  if (x < width && y < height)
    out[y * width + x] = tile[threadIdx.y][threadIdx.x + 1] + tile[threadIdx.y + 2][threadIdx.x + 1] +
                         tile[threadIdx.y + 1][threadIdx.x] + tile[threadIdx.y + 1][threadIdx.x + 2];
}

__global__ void conditions_either(const int *__restrict__ state, const double *__restrict__ v, double *__restrict__ out,
                              int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool open = state[i] == 3 || state[i + n] == 5 || v[i] > 1.0 || v[i + n] > v[i + 2 * n];
  const double left = open ? v[i + 3 * n] * 2.0 : v[i + 4 * n], right = open ? v[i + 5 * n] : v[i + 6 * n] / 3.0;
  out[i] = left * right + (left > right ? v[i + 7 * n] : v[i + 8 * n]);
}
