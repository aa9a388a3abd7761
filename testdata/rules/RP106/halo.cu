// Blocks that overlap: a tile of 64 with a halo of two on each side begins 64 behind the one before it.
#include <cuda_runtime.h>

#define TILE 64
__global__ void halo(const float* a, float* b, int n) {
  __shared__ float row[TILE + 4];
  int x = blockIdx.x * TILE + threadIdx.x - 2;
  row[threadIdx.x] = a[x < 0 ? 0 : x < n ? x : n - 1];
  __syncthreads();
  if (threadIdx.x < TILE) b[blockIdx.x * TILE + threadIdx.x] = row[threadIdx.x] + row[threadIdx.x + 4];
}
void smooth(const float* a, float* b, int n) {
  dim3 threads(TILE + 4);
  halo<<<(n + TILE - 1) / TILE, threads>>>(a, b, n);  // expect: RP106 info "28 of the 96 lanes"
}
