// known miss: tile pvc: documentation only, as in most kernels the addresses have room
// Accessors as DPC++ hands them to a kernel: an offset, the range of the access, the range of the memory and a pointer;
// the offset is added once.
#define ACCESSOR_2(T, p) __global T *p, ulong p##_a0, ulong p##_a1, ulong p##_m0, ulong p##_m1, ulong p##_o0, ulong p##_o1
#define BEGIN_2(p) p += p##_o0 * p##_m1 + p##_o1
#define AT_2(p, x, y) p[(ulong)(x) * p##_m1 + (ulong)(y)]
#define ACCESSOR_3(T, p)                                                                                               \
  __global T *p, ulong p##_a0, ulong p##_a1, ulong p##_a2, ulong p##_m0, ulong p##_m1, ulong p##_m2, ulong p##_o0,     \
      ulong p##_o1, ulong p##_o2
#define BEGIN_3(p) p += (p##_o0 * p##_m1 + p##_o1) * p##_m2 + p##_o2
#define AT_3(p, x, y, z) p[((ulong)(x) * p##_m1 + (ulong)(y)) * p##_m2 + (ulong)(z)]
#define UNROLL __attribute__((opencl_unroll_hint(40)))

// Five accessors of three dimensions beside 40 accumulators.
__kernel void tile_smell(ACCESSOR_3(const float, a), ACCESSOR_3(const float, b), ACCESSOR_3(const float, c),
                         ACCESSOR_3(const float, e), ACCESSOR_3(float, d), int m) {
  BEGIN_3(a);
  BEGIN_3(b);
  BEGIN_3(c);
  BEGIN_3(e);
  BEGIN_3(d);
  ulong x = get_global_id(2), y = get_global_id(1), z = get_global_id(0);
  float s[40];
  UNROLL
  for (int k = 0; k < 40; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float u = AT_3(a, x, y, z + j), v = AT_3(b, x, y + j, z), w = AT_3(c, x + j, y, z), q = AT_3(e, x + j, y + j, z);
    UNROLL
    for (int k = 0; k < 40; ++k) s[k] = s[k] * u + s[(k + 1) % 40] * v + w + q;
  }
  UNROLL
  for (int k = 0; k < 40; ++k) AT_3(d, x, y, z + k) = s[k];
}

__kernel void tile_repaired(__global const float* a, __global const float* b, __global const float* c,
                            __global const float* e, __global float* d, int width, int height, int m) {
  uint x = get_global_id(2), y = get_global_id(1), z = get_global_id(0);
  uint i = (x * height + y) * width + z;
  float s[40];
  UNROLL
  for (int k = 0; k < 40; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float u = a[i + j], v = b[i + j * width], w = c[i + j * width * height], q = e[i + j * (width + width * height)];
    UNROLL
    for (int k = 0; k < 40; ++k) s[k] = s[k] * u + s[(k + 1) % 40] * v + w + q;
  }
  UNROLL
  for (int k = 0; k < 40; ++k) d[i + k] = s[k];
}

// Four of three dimensions, and nothing else.
__kernel void four_smell(ACCESSOR_3(const float, a), ACCESSOR_3(const float, b), ACCESSOR_3(const float, c),
                         ACCESSOR_3(float, d), int m) {
  BEGIN_3(a);
  BEGIN_3(b);
  BEGIN_3(c);
  BEGIN_3(d);
  ulong x = get_global_id(2), y = get_global_id(1), z = get_global_id(0);
  float s = 0.0f;
  for (int j = 0; j < m; ++j) s += AT_3(a, x, y, z + j) * AT_3(b, x, y + j, z) + AT_3(c, x + j, y, z);
  AT_3(d, x, y, z) = s;
}

__kernel void four_repaired(__global const float* a, __global const float* b, __global const float* c,
                            __global float* d, int width, int height, int m) {
  uint x = get_global_id(2), y = get_global_id(1), z = get_global_id(0);
  uint i = (x * height + y) * width + z;
  float s = 0.0f;
  for (int j = 0; j < m; ++j) s += a[i + j] * b[i + j * width] + c[i + j * width * height];
  d[i] = s;
}

// Two of two dimensions: a stencil.
__kernel void stencil_smell(ACCESSOR_2(const float, a), ACCESSOR_2(float, b)) {
  BEGIN_2(a);
  BEGIN_2(b);
  int i = get_global_id(1) + 1, j = get_global_id(0) + 1;
  AT_2(b, i, j) = (AT_2(a, i, j) + AT_2(a, i - 1, j) + AT_2(a, i, j + 1) + AT_2(a, i + 1, j) + AT_2(a, i, j - 1)) / 5.0f;
}

__kernel void stencil_repaired(__global const float* a, __global float* b, int width) {
  int at = (get_global_id(1) + 1) * width + get_global_id(0) + 1;
  b[at] = (a[at] + a[at - width] + a[at + 1] + a[at + width] + a[at - 1]) / 5.0f;
}

// Three of two dimensions: a product of matrices.
__kernel void product_smell(ACCESSOR_2(const float, a), ACCESSOR_2(const float, b), ACCESSOR_2(float, c), int n) {
  BEGIN_2(a);
  BEGIN_2(b);
  BEGIN_2(c);
  int row = get_global_id(1), column = get_global_id(0);
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s += AT_2(a, row, k) * AT_2(b, k, column);
  AT_2(c, row, column) = s;
}

__kernel void product_repaired(__global const float* a, __global const float* b, __global float* c, int width, int n) {
  int row = get_global_id(1), column = get_global_id(0);
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s += a[row * n + k] * b[k * width + column];
  c[row * width + column] = s;
}
