// targets: gfx90a, gfx1100
#include <hip/hip_runtime.h>

// 128 registers are all that clang plans with for 1,024 threads on gfx90a; gfx1100 has 192.
__global__ void wide(const double* a, double* b, int m) {  // expect: RP101
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double acc[8][8] = {}, x[8], y[8];  // expect: RP407 warning @10 "register tile `acc` of 64 x double (512 bytes per thread) and its operands need about 160 registers, and a thread may have 128 on gfx90a"
  for (int j = 0; j < m; ++j) {
    for (int u = 0; u < 8; ++u) x[u] = a[i + j * 8 + u];
    for (int v = 0; v < 8; ++v) y[v] = a[i * 3 + j * 8 + v];
    for (int u = 0; u < 8; ++u)
      for (int v = 0; v < 8; ++v) acc[u][v] += x[u] * y[v];
  }
  double t = 0.0;
  for (int u = 0; u < 8; ++u)
    for (int v = 0; v < 8; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

// clang keeps the loops of so large a tile, nvcc spills what it has no room for.
__global__ void __launch_bounds__(256) square(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[16][16] = {};  // expect: RP407 warning "(1,024 bytes per thread) is not in registers"
  for (int j = 0; j < m; ++j)
    for (int u = 0; u < 16; ++u)
      for (int v = 0; v < 16; ++v) acc[u][v] += a[i + u + j] * a[v + j];
  float t = 0.0f;
  for (int u = 0; u < 16; ++u)
    for (int v = 0; v < 16; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}
