// known miss: payload pvc: documentation only, on all other GPUs the pointer costs registers
// Structures by value, and behind a pointer.
struct P64 {
  float c[64];
};

struct P448 {
  float c[448];
};

// 1,792 bytes beside 100 sums: the arguments of a hardware thread lie in its registers.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void payload_smell(struct P448 p, __global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[100];
  #pragma unroll
  for (int k = 0; k < 100; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    #pragma unroll
    for (int k = 0; k < 100; ++k) s[k] = s[k] * x + s[(k + 1) % 100] * p.c[k % 448];
  }
  float r = 0.0f;
  #pragma unroll
  for (int k = 0; k < 100; ++k) r += s[k];
  #pragma unroll
  for (int k = 0; k < 448; ++k) r = r * p.c[k] + 1.0f;
  b[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void payload_repaired(__global const struct P448* p, __global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[100];
  #pragma unroll
  for (int k = 0; k < 100; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    #pragma unroll
    for (int k = 0; k < 100; ++k) s[k] = s[k] * x + s[(k + 1) % 100] * p->c[k % 448];
  }
  float r = 0.0f;
  #pragma unroll
  for (int k = 0; k < 100; ++k) r += s[k];
  #pragma unroll
  for (int k = 0; k < 448; ++k) r = r * p->c[k] + 1.0f;
  b[i] = r;
}

// 256 bytes beside 100 sums.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void small_smell(struct P64 p, __global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[100];
  #pragma unroll
  for (int k = 0; k < 100; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    #pragma unroll
    for (int k = 0; k < 100; ++k) s[k] = s[k] * x + s[(k + 1) % 100] * p.c[k % 64];
  }
  float r = 0.0f;
  #pragma unroll
  for (int k = 0; k < 100; ++k) r += s[k];
  #pragma unroll
  for (int k = 0; k < 64; ++k) r = r * p.c[k] + 1.0f;
  b[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void small_repaired(__global const struct P64* p, __global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[100];
  #pragma unroll
  for (int k = 0; k < 100; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    #pragma unroll
    for (int k = 0; k < 100; ++k) s[k] = s[k] * x + s[(k + 1) % 100] * p->c[k % 64];
  }
  float r = 0.0f;
  #pragma unroll
  for (int k = 0; k < 100; ++k) r += s[k];
  #pragma unroll
  for (int k = 0; k < 64; ++k) r = r * p->c[k] + 1.0f;
  b[i] = r;
}

// 1,792 bytes beside 60 sums.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void calm_smell(struct P448 p, __global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[60];
  #pragma unroll
  for (int k = 0; k < 60; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    #pragma unroll
    for (int k = 0; k < 60; ++k) s[k] = s[k] * x + s[(k + 1) % 60] * p.c[k % 448];
  }
  float r = 0.0f;
  #pragma unroll
  for (int k = 0; k < 60; ++k) r += s[k];
  #pragma unroll
  for (int k = 0; k < 448; ++k) r = r * p.c[k] + 1.0f;
  b[i] = r;
}

__attribute__((intel_reqd_sub_group_size(16)))
__kernel void calm_repaired(__global const struct P448* p, __global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s[60];
  #pragma unroll
  for (int k = 0; k < 60; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    #pragma unroll
    for (int k = 0; k < 60; ++k) s[k] = s[k] * x + s[(k + 1) % 60] * p->c[k % 448];
  }
  float r = 0.0f;
  #pragma unroll
  for (int k = 0; k < 60; ++k) r += s[k];
  #pragma unroll
  for (int k = 0; k < 448; ++k) r = r * p->c[k] + 1.0f;
  b[i] = r;
}
