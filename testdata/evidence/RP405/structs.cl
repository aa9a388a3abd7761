__kernel void vectors_smell(__global const float4* a, __global const int* key, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float4 v[8];
  for (int j = 0; j < 8; ++j) v[j] = a[j * n + i];
  float s = 0.0f;
  for (int k = 0; k < m; ++k) {
    int j = key[k * n + i];
    s += v[j].x * v[j].y + v[j].z * v[j].w;
  }
  b[i] = s;
}

__kernel void vectors_repaired(__global const float4* a, __global const int* key, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float x[8], y[8], z[8], w[8];
  for (int j = 0; j < 8; ++j) {
    float4 e = a[j * n + i];
    x[j] = e.x;
    y[j] = e.y;
    z[j] = e.z;
    w[j] = e.w;
  }
  float s = 0.0f;
  for (int k = 0; k < m; ++k) {
    int j = key[k * n + i];
    s += x[j] * y[j] + z[j] * w[j];
  }
  b[i] = s;
}
