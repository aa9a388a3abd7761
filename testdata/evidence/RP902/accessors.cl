// Accessors of one dimension as DPC++ hands them to a kernel; the offset is added once.
#define ACCESSOR(T, p) __global T *p, ulong p##_a, ulong p##_m, ulong p##_o
#define BEGIN(p) p += p##_o
#define UNROLL __attribute__((opencl_unroll_hint(48)))

// Eight of them.
__kernel void eight_smell(ACCESSOR(const float, a), ACCESSOR(const float, b), ACCESSOR(const float, c),
                          ACCESSOR(const float, d), ACCESSOR(const float, e), ACCESSOR(const float, f),
                          ACCESSOR(const float, g), ACCESSOR(float, o), int m, int n) {
  BEGIN(a), BEGIN(b), BEGIN(c), BEGIN(d), BEGIN(e), BEGIN(f), BEGIN(g), BEGIN(o);
  ulong i = get_global_id(0);
  float s = 0.0f;
  for (int j = 0; j < m; ++j, i += n) s += a[i] * b[i] + c[i] * d[i] + e[i] * f[i] + g[i];
  o[i] = s;
}

__kernel void eight_repaired(__global const float* a, __global const float* b, __global const float* c,
                             __global const float* d, __global const float* e, __global const float* f,
                             __global const float* g, __global float* o, int m, int n) {
  ulong i = get_global_id(0);
  float s = 0.0f;
  for (int j = 0; j < m; ++j, i += n) s += a[i] * b[i] + c[i] * d[i] + e[i] * f[i] + g[i];
  o[i] = s;
}

// Eight beside 48 accumulators.
__kernel void crowded_smell(ACCESSOR(const float, a), ACCESSOR(const float, b), ACCESSOR(const float, c),
                            ACCESSOR(const float, d), ACCESSOR(const float, e), ACCESSOR(const float, f),
                            ACCESSOR(const float, g), ACCESSOR(float, o), int m, int n) {
  BEGIN(a), BEGIN(b), BEGIN(c), BEGIN(d), BEGIN(e), BEGIN(f), BEGIN(g), BEGIN(o);
  ulong i = get_global_id(0);
  float s[48];
  UNROLL
  for (int k = 0; k < 48; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j, i += n) {
    float u = a[i] * b[i] + c[i] * d[i], v = e[i] * f[i] + g[i];
    UNROLL
    for (int k = 0; k < 48; ++k) s[k] = s[k] * u + s[(k + 1) % 48] * v;
  }
  UNROLL
  for (int k = 0; k < 48; ++k) o[i + k * n] = s[k];
}

__kernel void crowded_repaired(__global const float* a, __global const float* b, __global const float* c,
                               __global const float* d, __global const float* e, __global const float* f,
                               __global const float* g, __global float* o, int m, int n) {
  ulong i = get_global_id(0);
  float s[48];
  UNROLL
  for (int k = 0; k < 48; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j, i += n) {
    float u = a[i] * b[i] + c[i] * d[i], v = e[i] * f[i] + g[i];
    UNROLL
    for (int k = 0; k < 48; ++k) s[k] = s[k] * u + s[(k + 1) % 48] * v;
  }
  UNROLL
  for (int k = 0; k < 48; ++k) o[i + k * n] = s[k];
}
