// document: 004 Intel, registerization

// technique: types | smaller data types: bins of 64 bits as bins of 32
// rule: RP403
// why: 32 bins of 64 bits are 256 bytes, of 32 bits 128 bytes a work-item; at 16 lanes this IGC promotes what is at run-time indices only up to a limit.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void types_smell(__global const ulong* a, __global ulong* b, int m, int n) {
  int i = get_global_id(0);
  ulong h[32];
  for (int k = 0; k < 32; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void types_repaired(__global const ulong* a, __global ulong* b, int m, int n) {
  int i = get_global_id(0);
  ushort h[32];
  for (int k = 0; k < 32; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
}

// technique: types_int | smaller data types: the document's own step, from 64 bits to 32
// rule: RP403
// why: the document's compiler kept 32 bins of 32 bits in registers; IGC 1.0.12504 keeps 16 bits.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void types_int_smell(__global const ulong* a, __global ulong* b, int m, int n) {
  int i = get_global_id(0);
  ulong h[32];
  for (int k = 0; k < 32; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void types_int_repaired(__global const ulong* a, __global ulong* b, int m, int n) {
  int i = get_global_id(0);
  uint h[32];
  for (int k = 0; k < 32; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
}

// technique: volatile | no volatile private variables
// rule: RP401
// why: a volatile array is in memory whatever its size.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void volatile_smell(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  volatile ushort h[16];
  for (int k = 0; k < 16; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 15] += 1;
  for (int k = 0; k < 16; ++k) b[k * n + i] = h[k];
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void volatile_repaired(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  ushort h[16];
  for (int k = 0; k < 16; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 15] += 1;
  for (int k = 0; k < 16; ++k) b[k * n + i] = h[k];
}

// technique: shared_bins | 256 bins shared in a sub-group, 16 for each lane
// rule: RP403
// why: 1,024 bytes a work-item are beyond any register file; 64 bytes are not.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void shared_bins_smell(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  uint h[256];
  for (int k = 0; k < 256; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 255] += 1;
  for (int k = 0; k < 256; ++k) b[k * n + i] = h[k];
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void shared_bins_repaired(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  uint h[16];
  for (int k = 0; k < 16; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) {
    uint x = a[j * n + i];
    for (int l = 0; l < 16; ++l) {
      uint c = sub_group_broadcast(x, l) & 255;
      if (get_sub_group_local_id() == (c & 15)) h[c >> 4] += 1;
    }
  }
  for (int k = 0; k < 16; ++k) b[k * n + i] = h[k];
}

// technique: local_bins | many bins in shared local memory
// rule: RP403
// why: 4 KiB of bins a work-group in SLM in place of 256 bytes of private memory a work-item.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void local_bins_smell(__global const uint* a, __global uint* b, int m, int n) {
  int i = get_global_id(0);
  uint h[64];
  for (int k = 0; k < 64; ++k) h[k] = 0;
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 63] += 1;
  for (int k = 0; k < 64; ++k) b[k * n + i] = h[k];
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void local_bins_repaired(__global const uint* a, __global uint* b, int m, int n) {
  __local uint h[64 * 64];
  int i = get_global_id(0), l = get_local_id(0);
  for (int k = 0; k < 64; ++k) h[k * 64 + l] = 0;
  for (int j = 0; j < m; ++j) h[(a[j * n + i] & 63) * 64 + l] += 1;
  for (int k = 0; k < 64; ++k) b[k * n + i] = h[k * 64 + l];
}

// technique: structs | an array of float4 as four arrays of float
// rule:
// why: IGC takes both apart alike; the size decides.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void structs_smell(__global const float4* a, __global float* b, int n) {
  int i = get_global_id(0);
  float4 v[8];
  for (int k = 0; k < 8; ++k) v[k] = a[k * n + i];
  float s = 0.0f;
  for (int k = 0; k < 8; ++k) s = s * v[k].x + v[7 - k].y * v[k].z - v[k].w;
  b[i] = s;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void structs_repaired(__global const float4* a, __global float* b, int n) {
  int i = get_global_id(0);
  float x[8], y[8], z[8], w[8];
  for (int k = 0; k < 8; ++k) {
    float4 v = a[k * n + i];
    x[k] = v.x;
    y[k] = v.y;
    z[k] = v.z;
    w[k] = v.w;
  }
  float s = 0.0f;
  for (int k = 0; k < 8; ++k) s = s * x[k] + y[7 - k] * z[k] - w[k];
  b[i] = s;
}

// technique: unrolling | no excessive unrolling
// rule:
// why: IGC orders the copies so that few of them are alive together.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void unrolling_smell(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  float s = 0.0f;
  __attribute__((opencl_unroll_hint(64)))
  for (int k = 0; k < 64; ++k) s = s * a[k * n + i] + a[(63 - k) * n + i];
  b[i] = s;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void unrolling_repaired(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  float s = 0.0f;
  __attribute__((opencl_unroll_hint(1)))
  for (int k = 0; k < 64; ++k) s = s * a[k * n + i] + a[(63 - k) * n + i];
  b[i] = s;
}

// technique: recompute | cheap values computed again when they are needed
// rule:
// why: two values beside one sum are nothing to gain; and written twice they are computed once.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void recompute_smell(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float x = a[i], p = x * 3.0f + 1.0f, q = x * 5.0f - 2.0f;
  float s = p * q;
  for (int j = 0; j < m; ++j) s = s * x + a[j * n + i];
  b[i] = s * p - q;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void recompute_repaired(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float x = a[i];
  float s = (x * 3.0f + 1.0f) * (x * 5.0f - 2.0f);
  for (int j = 0; j < m; ++j) s = s * x + a[j * n + i];
  b[i] = s * (x * 3.0f + 1.0f) - (x * 5.0f - 2.0f);
}

// technique: loops | a large loop as several small ones
// rule:
// why: two groups of accumulators that have only the counter in common need not be alive together.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void loops_smell(__global const float* a, __global const float* c, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[48], t[48];
  __attribute__((opencl_unroll_hint(48)))
  for (int k = 0; k < 48; ++k) s[k] = t[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i], y = c[j * n + i];
    __attribute__((opencl_unroll_hint(48)))
    for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
    __attribute__((opencl_unroll_hint(48)))
    for (int k = 0; k < 48; ++k) t[k] = t[k] * y + t[(k + 1) % 48];
  }
  float r = 0.0f, u = 0.0f;
  __attribute__((opencl_unroll_hint(48)))
  for (int k = 0; k < 48; ++k) r += s[k];
  b[i] = r;
  __attribute__((opencl_unroll_hint(48)))
  for (int k = 0; k < 48; ++k) u += t[k];
  b[n + i] = u;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void loops_repaired(__global const float* a, __global const float* c, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[48];
  __attribute__((opencl_unroll_hint(48)))
  for (int k = 0; k < 48; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    __attribute__((opencl_unroll_hint(48)))
    for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
  }
  float r = 0.0f;
  __attribute__((opencl_unroll_hint(48)))
  for (int k = 0; k < 48; ++k) r += s[k];
  b[i] = r;
  float t[48];
  __attribute__((opencl_unroll_hint(48)))
  for (int k = 0; k < 48; ++k) t[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float y = c[j * n + i];
    __attribute__((opencl_unroll_hint(48)))
    for (int k = 0; k < 48; ++k) t[k] = t[k] * y + t[(k + 1) % 48];
  }
  float u = 0.0f;
  __attribute__((opencl_unroll_hint(48)))
  for (int k = 0; k < 48; ++k) u += t[k];
  b[n + i] = u;
}

// technique: block_loads | sub-group block loads and stores
// rule:
// why: one address for a sub-group in place of one a lane; in a kernel that is not short of registers it is no difference.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void block_loads_smell(__global const uint* a, __global uint* b, int n) {
  int i = get_global_id(0);
  b[i] = a[i];
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void block_loads_repaired(__global const uint* a, __global uint* b, int n) {
  int i = get_global_id(0) - get_sub_group_local_id();
  intel_sub_group_block_write(b + i, intel_sub_group_block_read(a + i));
}

// technique: lane_blocks | sub-group blocks in place of sixteen elements of each work-item's own
// rule: RP905
// why: IGC has the addresses and values of all sixteen at once, of blocks those of one; with 64 registers of 128 nothing is spilled.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void lane_blocks_smell(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  __attribute__((opencl_unroll_hint(16)))
  for (int k = 0; k < 16; ++k) b[i * 16 + k] = a[i * 16 + k] * 2.0f;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void lane_blocks_repaired(__global const uint* a, __global uint* b, int n) {
  int i = (get_global_id(0) - get_sub_group_local_id()) * 16;
  __attribute__((opencl_unroll_hint(16)))
  for (int k = 0; k < 16; ++k) {
    uint x = intel_sub_group_block_read(a + i + 16 * k);
    intel_sub_group_block_write(b + i + 16 * k, as_uint(as_float(x) * 2.0f));
  }
}

// technique: pointers | USM pointers in place of accessors of one dimension
// rule:
// why: an accessor of one dimension is a pointer and an offset, which is added once.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void pointers_smell(__global const float* a, ulong oa, __global float* b, ulong ob, int n) {
  a += oa;
  b += ob;
  int i = get_global_id(0);
  b[i] = a[i] * 2.0f;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void pointers_repaired(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  b[i] = a[i] * 2.0f;
}

// technique: entries | smaller data types: a stack of 32-bit numbers in 32 bits
// rule: RP406
// why: 20 entries of 64 bits are 160 bytes at run-time indices, of 32 bits 80; IGC promotes up to 96 at 16 lanes.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void entries_smell(__global const int* a, __global int* b, int m, int n) {
  int i = get_global_id(0), top = 0;
  long entry[20];
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i];
    if (x > 0 && top < 20) {
      entry[top++] = x;
    } else if (top > 0) {
      b[j * n + i] = entry[--top];
    }
  }
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void entries_repaired(__global const int* a, __global int* b, int m, int n) {
  int i = get_global_id(0), top = 0;
  int entry[20];
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i];
    if (x > 0 && top < 20) {
      entry[top++] = x;
    } else if (top > 0) {
      b[j * n + i] = entry[--top];
    }
  }
}

// technique: accessors | USM pointers in place of accessors
// rule:
// why: an accessor of one dimension is a pointer and an offset; three dimensions with ranges are more numbers, which all work-items share.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void accessors_smell(__global const float* a, uint oa, uint ra1, uint ra2, __global float* b, uint ob, uint rb1,
                              uint rb2, int n) {
  int i = get_global_id(0);
  b[ob + (i * rb1 + 1) * rb2 + 1] = a[oa + (i * ra1 + 1) * ra2 + 1] * 2.0f;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void accessors_repaired(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  b[i] = a[i] * 2.0f;
}

// technique: recompute_many | cheap values computed again when they are needed: 24 of them, held through a loop
// rule: RP304
// why: IGC merges both computations and has as much private memory. Only on AMD was a way found to keep them apart.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void recompute_many_smell(__global const float* w, __global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  float e3 = u1 * 3.5f + u0;
  float e4 = u0 * 4.5f + u1;
  float e5 = u1 * 5.5f + u0;
  float e6 = u0 * 6.5f + u1;
  float e7 = u1 * 7.5f + u0;
  float e8 = u0 * 8.5f + u1;
  float e9 = u1 * 9.5f + u0;
  float e10 = u0 * 10.5f + u1;
  float e11 = u1 * 11.5f + u0;
  float e12 = u0 * 12.5f + u1;
  float e13 = u1 * 13.5f + u0;
  float e14 = u0 * 14.5f + u1;
  float e15 = u1 * 15.5f + u0;
  float e16 = u0 * 16.5f + u1;
  float e17 = u1 * 17.5f + u0;
  float e18 = u0 * 18.5f + u1;
  float e19 = u1 * 19.5f + u0;
  float e20 = u0 * 20.5f + u1;
  float e21 = u1 * 21.5f + u0;
  float e22 = u0 * 22.5f + u1;
  float e23 = u1 * 23.5f + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  b[12 * n + i] = e12;
  b[13 * n + i] = e13;
  b[14 * n + i] = e14;
  b[15 * n + i] = e15;
  b[16 * n + i] = e16;
  b[17 * n + i] = e17;
  b[18 * n + i] = e18;
  b[19 * n + i] = e19;
  b[20 * n + i] = e20;
  b[21 * n + i] = e21;
  b[22 * n + i] = e22;
  b[23 * n + i] = e23;
  float s[80];
  for (int k = 0; k < 80; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 80; ++k) s[k] = s[k] * x + s[(k + 1) % 80];
  }
  float t = u0 + u1;
  t += e0 * s[0];
  t += e1 * s[1];
  t += e2 * s[2];
  t += e3 * s[3];
  t += e4 * s[4];
  t += e5 * s[5];
  t += e6 * s[6];
  t += e7 * s[7];
  t += e8 * s[8];
  t += e9 * s[9];
  t += e10 * s[10];
  t += e11 * s[11];
  t += e12 * s[12];
  t += e13 * s[13];
  t += e14 * s[14];
  t += e15 * s[15];
  t += e16 * s[16];
  t += e17 * s[17];
  t += e18 * s[18];
  t += e19 * s[19];
  t += e20 * s[20];
  t += e21 * s[21];
  t += e22 * s[22];
  t += e23 * s[23];
  for (int k = 24; k < 80; ++k) t += s[k];
  b[i] = t;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void recompute_many_repaired(__global const float* w, __global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  float e3 = u1 * 3.5f + u0;
  float e4 = u0 * 4.5f + u1;
  float e5 = u1 * 5.5f + u0;
  float e6 = u0 * 6.5f + u1;
  float e7 = u1 * 7.5f + u0;
  float e8 = u0 * 8.5f + u1;
  float e9 = u1 * 9.5f + u0;
  float e10 = u0 * 10.5f + u1;
  float e11 = u1 * 11.5f + u0;
  float e12 = u0 * 12.5f + u1;
  float e13 = u1 * 13.5f + u0;
  float e14 = u0 * 14.5f + u1;
  float e15 = u1 * 15.5f + u0;
  float e16 = u0 * 16.5f + u1;
  float e17 = u1 * 17.5f + u0;
  float e18 = u0 * 18.5f + u1;
  float e19 = u1 * 19.5f + u0;
  float e20 = u0 * 20.5f + u1;
  float e21 = u1 * 21.5f + u0;
  float e22 = u0 * 22.5f + u1;
  float e23 = u1 * 23.5f + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  b[12 * n + i] = e12;
  b[13 * n + i] = e13;
  b[14 * n + i] = e14;
  b[15 * n + i] = e15;
  b[16 * n + i] = e16;
  b[17 * n + i] = e17;
  b[18 * n + i] = e18;
  b[19 * n + i] = e19;
  b[20 * n + i] = e20;
  b[21 * n + i] = e21;
  b[22 * n + i] = e22;
  b[23 * n + i] = e23;
  float s[80];
  for (int k = 0; k < 80; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 80; ++k) s[k] = s[k] * x + s[(k + 1) % 80];
  }
  float r0 = u0 * 0.5f + u1;
  float r1 = u1 * 1.5f + u0;
  float r2 = u0 * 2.5f + u1;
  float r3 = u1 * 3.5f + u0;
  float r4 = u0 * 4.5f + u1;
  float r5 = u1 * 5.5f + u0;
  float r6 = u0 * 6.5f + u1;
  float r7 = u1 * 7.5f + u0;
  float r8 = u0 * 8.5f + u1;
  float r9 = u1 * 9.5f + u0;
  float r10 = u0 * 10.5f + u1;
  float r11 = u1 * 11.5f + u0;
  float r12 = u0 * 12.5f + u1;
  float r13 = u1 * 13.5f + u0;
  float r14 = u0 * 14.5f + u1;
  float r15 = u1 * 15.5f + u0;
  float r16 = u0 * 16.5f + u1;
  float r17 = u1 * 17.5f + u0;
  float r18 = u0 * 18.5f + u1;
  float r19 = u1 * 19.5f + u0;
  float r20 = u0 * 20.5f + u1;
  float r21 = u1 * 21.5f + u0;
  float r22 = u0 * 22.5f + u1;
  float r23 = u1 * 23.5f + u0;
  float t = u0 + u1;
  t += r0 * s[0];
  t += r1 * s[1];
  t += r2 * s[2];
  t += r3 * s[3];
  t += r4 * s[4];
  t += r5 * s[5];
  t += r6 * s[6];
  t += r7 * s[7];
  t += r8 * s[8];
  t += r9 * s[9];
  t += r10 * s[10];
  t += r11 * s[11];
  t += r12 * s[12];
  t += r13 * s[13];
  t += r14 * s[14];
  t += r15 * s[15];
  t += r16 * s[16];
  t += r17 * s[17];
  t += r18 * s[18];
  t += r19 * s[19];
  t += r20 * s[20];
  t += r21 * s[21];
  t += r22 * s[22];
  t += r23 * s[23];
  for (int k = 24; k < 80; ++k) t += s[k];
  b[i] = t;
}
