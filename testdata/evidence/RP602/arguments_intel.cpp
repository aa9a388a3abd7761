// The kernels of arguments_intel.cl in SYCL.
#include <sycl/sycl.hpp>

struct P64 {
  float c[64];
};

struct P448 {
  float c[448];
};

// 1,792 bytes beside 100 sums: the arguments of a hardware thread lie in its registers.
void payload_smell(sycl::queue& q, P448 p, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
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
  });
}

void payload_repaired(sycl::queue& q, const P448* p, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
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
  });
}

// 256 bytes beside 100 sums.
void small_smell(sycl::queue& q, P64 p, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
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
  });
}

void small_repaired(sycl::queue& q, const P64* p, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
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
  });
}

// 1,792 bytes beside 60 sums.
void calm_smell(sycl::queue& q, P448 p, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
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
  });
}

void calm_repaired(sycl::queue& q, const P448* p, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
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
  });
}
