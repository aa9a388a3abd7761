#define UNROLL __attribute__((opencl_unroll_hint))
#define LANES __attribute__((intel_reqd_sub_group_size(16)))

// Sixteen elements of each work-item, scaled.
LANES __kernel void scale_smell(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  UNROLL
  for (int k = 0; k < 16; ++k) b[i * 16 + k] = a[i * 16 + k] * 2.0f;
}

LANES __kernel void scale_repaired(__global const uint* a, __global uint* b, int n) {
  int i = (get_global_id(0) - get_sub_group_local_id()) * 16;
  UNROLL
  for (int k = 0; k < 16; ++k) {
    uint x = intel_sub_group_block_read(a + i + 16 * k);
    intel_sub_group_block_write(b + i + 16 * k, as_uint(as_float(x) * 2.0f));
  }
}

// Sixteen elements of each work-item, kept through a loop. The repair gives each work-item sixteen others.
LANES __kernel void kept_smell(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float v[16];
  UNROLL
  for (int k = 0; k < 16; ++k) v[k] = a[i * 16 + k];
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    UNROLL
    for (int k = 0; k < 16; ++k) s = s * v[k] + v[15 - k];
  }
  b[i] = s;
}

LANES __kernel void kept_repaired(__global const uint* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float v[16];
  UNROLL
  for (int h = 0; h < 2; ++h) {
    uint8 x = intel_sub_group_block_read8(a + (i - get_sub_group_local_id()) * 16 + 128 * h);
    v[8 * h] = as_float(x.s0);
    v[8 * h + 1] = as_float(x.s1);
    v[8 * h + 2] = as_float(x.s2);
    v[8 * h + 3] = as_float(x.s3);
    v[8 * h + 4] = as_float(x.s4);
    v[8 * h + 5] = as_float(x.s5);
    v[8 * h + 6] = as_float(x.s6);
    v[8 * h + 7] = as_float(x.s7);
  }
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    UNROLL
    for (int k = 0; k < 16; ++k) s = s * v[k] + v[15 - k];
  }
  b[i] = s;
}

// Sixty-four elements, all of them alive.
LANES __kernel void crowded_smell(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  float v[64];
  UNROLL
  for (int k = 0; k < 64; ++k) v[k] = a[i * 64 + k];
  UNROLL
  for (int k = 0; k < 64; ++k) b[i * 64 + k] = v[k] * v[63 - k] + v[(k + 13) % 64];
}

LANES __kernel void crowded_repaired(__global const uint* a, __global uint* b, int n) {
  int i = (get_global_id(0) - get_sub_group_local_id()) * 64;
  float v[64];
  UNROLL
  for (int k = 0; k < 64; ++k) v[k] = as_float(intel_sub_group_block_read(a + i + 16 * k));
  UNROLL
  for (int k = 0; k < 64; ++k) {
    intel_sub_group_block_write(b + i + 16 * k, as_uint(v[k] * v[63 - k] + v[(k + 13) % 64]));
  }
}

// Neighbours with neighbouring elements, the document's own example: silent.
LANES __kernel void neighbours_smell(__global const uint* a, __global uint* b) {
  int i = get_global_id(0);
  b[i] = a[i];
}

LANES __kernel void neighbours_repaired(__global const uint* a, __global uint* b) {
  int i = get_global_id(0) - get_sub_group_local_id();
  intel_sub_group_block_write(b + i, intel_sub_group_block_read(a + i));
}
