// targets: pvc
// Indices of sixteen neighbours, kept through a loop: 32 work-items of a thread have 64 registers each.
__attribute__((intel_reqd_sub_group_size(32)))
__kernel void neighbours_smell(__global float* out, __global const float* f, __global const float* g, __global const long* list, long n, int m) {
  long i = get_global_id(0);
  long at[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) at[k] = list[k * n + i];
  float sum = 0;
  for (int q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
  }
  out[i] = sum;
}

__attribute__((intel_reqd_sub_group_size(32)))
__kernel void neighbours_repaired(__global float* out, __global const float* f, __global const float* g, __global const int* list, int n, int m) {
  int i = get_global_id(0);
  int at[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) at[k] = list[k * n + i];
  float sum = 0;
  for (int q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
  }
  out[i] = sum;
}

// The place of the least of twelve rows.
__attribute__((intel_reqd_sub_group_size(32)))
__kernel void nearest_smell(__global float* out, __global const float* f, long n, long s, int m) {
  long i = get_global_id(0);
  float best[12];
  long where[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) { best[k] = f[k * n + i]; where[k] = k; }
  for (long q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 12; ++k) {
      float v = f[q * s + k * n + i];
      if (v < best[k]) { best[k] = v; where[k] = q * s; }
    }
  }
#pragma unroll
  for (int k = 0; k < 12; ++k) out[k * n + i] = f[where[k] + i] + best[k];
}

__attribute__((intel_reqd_sub_group_size(32)))
__kernel void nearest_repaired(__global float* out, __global const float* f, int n, int s, int m) {
  int i = get_global_id(0);
  float best[12];
  int where[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) { best[k] = f[k * n + i]; where[k] = k; }
  for (int q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 12; ++k) {
      float v = f[q * s + k * n + i];
      if (v < best[k]) { best[k] = v; where[k] = q * s; }
    }
  }
#pragma unroll
  for (int k = 0; k < 12; ++k) out[k * n + i] = f[where[k] + i] + best[k];
}
