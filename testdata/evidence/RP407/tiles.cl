// A tile with run-time bounds on Intel, sub-groups of 16: 256 bytes of private memory.
__attribute__((intel_reqd_sub_group_size(16))) __kernel void bounds_smell(__global const float* a, __global float* b, int m, int tm, int n) {
  int i = get_global_id(0);
  float acc[8][8];
  for (int u = 0; u < 8; ++u)
    for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
  for (int j = 0; j < m; ++j)
    for (int u = 0; u < tm; ++u)
      for (int v = 0; v < tm; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
  float t = 0.0f;
  for (int u = 0; u < tm; ++u)
    for (int v = 0; v < tm; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

__attribute__((intel_reqd_sub_group_size(16))) __kernel void bounds_repaired(__global const float* a, __global float* b, int m, int tm, int n) {
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
      for (int v = 0; v < 8; ++v)
        acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
  float t = 0.0f;
#pragma unroll
  for (int u = 0; u < 8; ++u)
#pragma unroll
    for (int v = 0; v < 8; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}
