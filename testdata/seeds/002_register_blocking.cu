// targets: gfx90a, sm_90
// document: 002 register blocking

// technique: nested | a tile in registers: factors read in the innermost loop, or kept in registers first
// rule:
// why: both loops have constant bounds: compilers unroll and merge the loads by themselves, as the document found at `-O3`.
__global__ void __launch_bounds__(256) nested_smell(const float* a, const float* b, float* c, int n) {
  __shared__ float as[64 * 16], bs[16 * 32];
  int t = threadIdx.x, ty = t / 16, tx = t % 16;
  for (int k = t; k < 64 * 16; k += 256) as[k] = a[blockIdx.y * 64 * n + k];
  for (int k = t; k < 16 * 32; k += 256) bs[k] = b[blockIdx.x * 32 + k];
  __syncthreads();
  float tmp[4][2] = {};
  for (int m = 0; m < 4; ++m)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 16; ++k) tmp[m][j] += as[(ty * 4 + m) * 16 + k] * bs[k * 32 + tx * 2 + j];
  for (int m = 0; m < 4; ++m)
    for (int j = 0; j < 2; ++j) c[(ty * 4 + m) * n + tx * 2 + j] = tmp[m][j];
}

__global__ void __launch_bounds__(256) nested_repaired(const float* a, const float* b, float* c, int n) {
  __shared__ float as[64 * 16], bs[16 * 32];
  int t = threadIdx.x, ty = t / 16, tx = t % 16;
  for (int k = t; k < 64 * 16; k += 256) as[k] = a[blockIdx.y * 64 * n + k];
  for (int k = t; k < 16 * 32; k += 256) bs[k] = b[blockIdx.x * 32 + k];
  __syncthreads();
  float tmp[4][2] = {};
  for (int k = 0; k < 16; ++k) {
    float x[4], y[2];
#pragma unroll
    for (int m = 0; m < 4; ++m) x[m] = as[(ty * 4 + m) * 16 + k];
#pragma unroll
    for (int j = 0; j < 2; ++j) y[j] = bs[k * 32 + tx * 2 + j];
#pragma unroll
    for (int m = 0; m < 4; ++m)
#pragma unroll
      for (int j = 0; j < 2; ++j) tmp[m][j] += x[m] * y[j];
  }
  for (int m = 0; m < 4; ++m)
    for (int j = 0; j < 2; ++j) c[(ty * 4 + m) * n + tx * 2 + j] = tmp[m][j];
}

// technique: run_time | a tile whose bounds are known only at run time
// rule: RP407
// why: "the loop boundaries are known at compile time" is the condition: without it the tile is in memory.
__global__ void __launch_bounds__(256) run_time_smell(const float* a, const float* b, float* c, int tm, int tn, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[8][8];
  for (int p = 0; p < tm; ++p)
    for (int q = 0; q < tn; ++q) acc[p][q] = 0.0f;
  for (int k = 0; k < m; ++k)
    for (int p = 0; p < tm; ++p)
      for (int q = 0; q < tn; ++q) acc[p][q] += a[(k * 8 + p) * n + i] * b[(k * 8 + q) * n + i];
  for (int p = 0; p < tm; ++p)
    for (int q = 0; q < tn; ++q) c[(p * 8 + q) * n + i] = acc[p][q];
}

__global__ void __launch_bounds__(256) run_time_repaired(const float* a, const float* b, float* c, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[8][8];
#pragma unroll
  for (int p = 0; p < 8; ++p)
#pragma unroll
    for (int q = 0; q < 8; ++q) acc[p][q] = 0.0f;
  for (int k = 0; k < m; ++k) {
#pragma unroll
    for (int p = 0; p < 8; ++p)
#pragma unroll
      for (int q = 0; q < 8; ++q) acc[p][q] += a[(k * 8 + p) * n + i] * b[(k * 8 + q) * n + i];
  }
#pragma unroll
  for (int p = 0; p < 8; ++p)
#pragma unroll
    for (int q = 0; q < 8; ++q) c[(p * 8 + q) * n + i] = acc[p][q];
}

// technique: rolled | a tile whose loops are kept as loops
// rule: RP407
// why: the index is a variable then, and what it indexes has to be in memory.
__global__ void __launch_bounds__(256) rolled_smell(const float* a, const float* b, float* c, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[6][6];
#pragma unroll 1
  for (int p = 0; p < 6; ++p)
    for (int q = 0; q < 6; ++q) acc[p][q] = 0.0f;
  for (int k = 0; k < m; ++k) {
#pragma unroll 1
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q < 6; ++q) acc[p][q] += a[(k * 6 + p) * n + i] * b[(k * 6 + q) * n + i];
  }
#pragma unroll 1
  for (int p = 0; p < 6; ++p)
    for (int q = 0; q < 6; ++q) c[(p * 6 + q) * n + i] = acc[p][q];
}

__global__ void __launch_bounds__(256) rolled_repaired(const float* a, const float* b, float* c, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[6][6];
#pragma unroll
  for (int p = 0; p < 6; ++p)
    for (int q = 0; q < 6; ++q) acc[p][q] = 0.0f;
  for (int k = 0; k < m; ++k) {
#pragma unroll
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q < 6; ++q) acc[p][q] += a[(k * 6 + p) * n + i] * b[(k * 6 + q) * n + i];
  }
#pragma unroll
  for (int p = 0; p < 6; ++p)
    for (int q = 0; q < 6; ++q) c[(p * 6 + q) * n + i] = acc[p][q];
}
