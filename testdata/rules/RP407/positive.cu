#include <cuda_runtime.h>

// Bounds that are arguments: the operands go with the tile.
__global__ void __launch_bounds__(256) bounds(const float* a, float* b, int m, int tm, int tn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[8][8] = {}, x[20], y[20];  // expect: RP407 warning @9 "register tile `acc` of 64 x float (256 bytes per thread) is not in registers but in local memory on sm_90 because of `acc[u][v]`" "its bound `tm` is known only at run time" "`x` and `y` go with it"
  for (int j = 0; j < m; ++j) {
    for (int u = 0; u < tm; ++u) x[u] = a[i + j * 8 + u];
    for (int v = 0; v < tn; ++v) y[v] = a[i * 3 + j * 8 + v];
    for (int u = 0; u < tm; ++u)
      for (int v = 0; v < tn; ++v) acc[u][v] += x[u] * y[v];
  }
  float t = 0.0f;
  for (int u = 0; u < tm; ++u)
    for (int v = 0; v < tn; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

// One dimension that two loops index, and a sum that is written out.
__global__ void __launch_bounds__(256) flat(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[32] = {};  // expect: RP407 warning "the loop over `u` is not unrolled (`#pragma unroll 1`)"
  for (int j = 0; j < m; ++j) {
#pragma unroll 1
    for (int u = 0; u < 8; ++u)
      for (int v = 0; v < 4; ++v) acc[u * 4 + v] = acc[u * 4 + v] + a[i + j * 8 + u] * a[j * 4 + v];
  }
  for (int k = 0; k < 32; ++k) b[i + k] = acc[k];
}

