// Tiles with constant bounds that are larger than what a work-item has, on Intel: half as many rows fit.
__kernel void large_smell(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float acc[8][8];
  for (int u = 0; u < 8; ++u)
    for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
  for (int j = 0; j < m; ++j)
    for (int u = 0; u < 8; ++u)
      for (int v = 0; v < 8; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
  for (int u = 0; u < 8; ++u)
    for (int v = 0; v < 8; ++v) b[(u * 8 + v) * n + i] = acc[u][v];
}

__kernel void large_repaired(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float acc[4][8];
  for (int u = 0; u < 4; ++u)
    for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
  for (int j = 0; j < m; ++j)
    for (int u = 0; u < 4; ++u)
      for (int v = 0; v < 8; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
  for (int u = 0; u < 4; ++u)
    for (int v = 0; v < 8; ++v) b[(u * 8 + v) * n + i] = acc[u][v];
}

__kernel void unrolled_smell(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float acc[8][8];
#pragma unroll
  for (int u = 0; u < 8; ++u)
#pragma unroll
    for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
  for (int j = 0; j < m; ++j)
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
#pragma unroll
  for (int u = 0; u < 8; ++u)
#pragma unroll
    for (int v = 0; v < 8; ++v) b[(u * 8 + v) * n + i] = acc[u][v];
}

__kernel void unrolled_repaired(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float acc[4][8];
#pragma unroll
  for (int u = 0; u < 4; ++u)
#pragma unroll
    for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
  for (int j = 0; j < m; ++j)
#pragma unroll
    for (int u = 0; u < 4; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
#pragma unroll
  for (int u = 0; u < 4; ++u)
#pragma unroll
    for (int v = 0; v < 8; ++v) b[(u * 8 + v) * n + i] = acc[u][v];
}
