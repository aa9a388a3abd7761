// 64 bins of 32 bits; 32 bytes of bins with 8 bits; 32 bins at a required sub-group size of 16.
__kernel void bins_smell(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  uint h[64];
  for (int k = 0; k < 64; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] % 64] += 1;
  for (int k = 0; k < 64; ++k) b[k * n + i] = h[k];
}

__kernel void bins_repaired(__global const uint* a, __global uint* b, int m, int n) {
  __local uint h[64 * 128];
  int i = get_global_id(0), lid = get_local_id(0);
  for (int k = 0; k < 64; ++k) h[k * 128 + lid] = 0;
  for (int j = 0; j < m; ++j) h[(a[j * n + i] % 64) * 128 + lid] += 1;
  for (int k = 0; k < 64; ++k) b[k * n + i] = h[k * 128 + lid];
}

__kernel void bytes_smell(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  uchar h[32];
  for (int k = 0; k < 32; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] % 32] += 1;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
}

__kernel void bytes_repaired(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  ushort h[32];
  for (int k = 0; k < 32; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] % 32] += 1;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void sixteen_smell(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  uint h[32];
  for (int k = 0; k < 32; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] % 32] += 1;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
}

__kernel void sixteen_repaired(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  uint h[32];
  for (int k = 0; k < 32; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] % 32] += 1;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
}

// IGC takes a struct that is nothing but an array for the array; beside another member the array stays in memory.
typedef struct { uint h[16]; uint seen; } Counts;

__kernel void member_smell(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  Counts c;
  c.seen = 0;
  for (int k = 0; k < 16; ++k) c.h[k] = 0;
  for (int j = 0; j < m; ++j) { c.h[a[j * n + i] % 16] += 1; c.seen += a[j * n + i]; }
  for (int k = 0; k < 16; ++k) b[k * n + i] = c.h[k] + c.seen;
}

__kernel void member_repaired(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  uint h[16], seen = 0;
  for (int k = 0; k < 16; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) { h[a[j * n + i] % 16] += 1; seen += a[j * n + i]; }
  for (int k = 0; k < 16; ++k) b[k * n + i] = h[k] + seen;
}
