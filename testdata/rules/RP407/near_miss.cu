// Tiles that are right.
#include <cuda_runtime.h>

// Constant bounds, all unrolled; three loops around each product or two, it is the same.
__global__ void __launch_bounds__(256) nested(const float* a, float* b, int m) {
  __shared__ float as[64][16], bs[16][64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[4][4] = {};
  for (int j = 0; j < m; ++j) {
    as[threadIdx.x / 4][threadIdx.x % 4] = a[i + j * 256];
    bs[threadIdx.x / 64][threadIdx.x % 64] = a[i + j * 512];
    __syncthreads();
    for (int u = 0; u < 4; ++u)
      for (int v = 0; v < 4; ++v)
        for (int k = 0; k < 16; ++k) acc[u][v] += as[threadIdx.x / 16 * 4 + u][k] * bs[k][threadIdx.x % 16 * 4 + v];
    __syncthreads();
  }
  for (int u = 0; u < 4; ++u)
    for (int v = 0; v < 4; ++v) b[i + u + v] = acc[u][v];
}

// 8 x 8 doubles where the launch bound leaves room.
__global__ void __launch_bounds__(256) wide(const double* a, double* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double acc[8][8] = {};
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) acc[u][v] += a[i + u + j] * a[v + j];
  }
#pragma unroll
  for (int u = 0; u < 8; ++u)
#pragma unroll
    for (int v = 0; v < 8; ++v) b[i + u + v] = acc[u][v];
}

// No tile: a histogram of two dimensions (another rule's subject) that is small enough to be moved to LDS for nothing.
__global__ void __launch_bounds__(256) counts(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float n[2][2] = {};
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < m; ++k) n[a[j] & 1][a[k] & 1] += 1.0f;
  b[i] = n[0][0] + n[1][1];
}

// One read behind the loops: selects.
__global__ void epilogue(const float* a, float* b, int m, int pick) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[6][6] = {};
  for (int j = 0; j < m; ++j)
    for (int u = 0; u < 6; ++u)
      for (int v = 0; v < 6; ++v) acc[u][v] += a[i + u + j] * a[v + j];
  b[i] = acc[pick][pick];
}
