// Private arrays of OpenCL C: at run-time indices, behind a vector's lane, and in unrolled loops.

__kernel void stacked(__global const float* a, __global const int* k, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[64];  // expect: RP403 warning @9 "64 x float (256 bytes per thread)" "private memory on pvc" "scratch memory on gfx90a"
  for (int e = 0; e < 64; ++e) s[e] = a[e * n + i];
  for (int j = 0; j < m; ++j) s[k[j * n + i] & 63] += a[j];
  for (int e = 0; e < 64; ++e) b[e * n + i] = s[e];
}

__attribute__((reqd_work_group_size(32, 1, 1)))
kernel void columns(global const float* a, global const int* k, global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[64];  // expect: RP403 "256 bytes"
  for (int e = 0; e < 64; ++e) s[e] = a[e * n + i];
  for (int j = 0; j < m; ++j) s[k[j * n + i] & 63] += a[j];
  for (int e = 0; e < 64; ++e) b[e * n + i] = s[e];
}

__kernel void unrolled(__global const float4* a, __global float4* b, int m, int n) {
  int i = get_global_id(0);
  float4 s[4];
  __attribute__((opencl_unroll_hint))
  for (int e = 0; e < 4; ++e) s[e] = (float4)(0.0f);
  for (int j = 0; j < m; ++j) {
    __attribute__((opencl_unroll_hint))
    for (int e = 0; e < 4; ++e) s[e] += a[(j * 4 + e) * n + i].wzyx;
  }
  b[i] = s[0] + s[1] + s[2] + s[3];
}

__kernel void in_local(__global const float* a, __global const int* k, __global float* b, __local float* s, int m) {
  int l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[get_global_id(0)] = s[k[l] & 63];
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void histogram(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  uint bins[256];  // expect: RP403 "256 x uint (1,024 bytes per thread)"
  for (int k = 0; k < 256; ++k) bins[k] = 0;
  for (int j = 0; j < m; ++j) bins[a[j * n + i] & 255] += 1;
  for (int k = 0; k < 256; ++k) b[k * n + i] = bins[k];
}
