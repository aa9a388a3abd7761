// What may need 64 bits, or is not private: silent.
#include <sycl/sycl.hpp>

SYCL_EXTERNAL void fill(long* v, int m);

// A sum of many 32-bit numbers.
void sums(sycl::queue& q, const int* a, long long* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    long long sum[8];
    for (int e = 0; e < 8; ++e) sum[e] = 0;
    for (int j = 0; j < m; ++j) {
      for (int e = 0; e < 8; ++e) sum[e] += a[(j * 8 + e) * n + i];
    }
    for (int e = 0; e < 8; ++e) b[e * n + i] = sum[e];
  });
}

// 64-bit numbers from memory.
void loaded(sycl::queue& q, const size_t* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    size_t at[8];
    for (int e = 0; e < 8; ++e) at[e] = a[e * n + i];
    for (int e = 0; e < 8; ++e) b[at[e]] = 1.0f;
  });
}

// What may be negative wraps to 64 bits.
void negative(sycl::queue& q, const int* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    size_t at[8];
    for (int e = 0; e < 8; ++e) at[e] = a[e * n + i];
    for (int e = 0; e < 8; ++e) b[at[e]] = 1.0f;
  });
}

// A product of 64 bits.
void product(sycl::queue& q, const unsigned* a, float* b, unsigned w, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    size_t at[8];
    for (int e = 0; e < 8; ++e) at[e] = (size_t)a[e * n + i] * w;
    for (int e = 0; e < 8; ++e) b[at[e]] = 1.0f;
  });
}

// The state of a generator.
void state(sycl::queue& q, unsigned long long* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    unsigned long long s[2] = {1, 2};
    for (int j = 0; j < m; ++j) {
      unsigned long long t = s[0] ^ s[0] << 23;
      s[0] = s[1];
      s[1] = t ^ s[1] ^ t >> 17;
    }
    b[i] = s[0] + s[1];
  });
}

// The digits of doubles are the author's choice.
void doubles(sycl::queue& q, const float* a, double* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    double s[8];
    for (int e = 0; e < 8; ++e) s[e] = 0.0;
    for (int j = 0; j < m; ++j) {
      for (int e = 0; e < 8; ++e) s[e] += a[(j * 8 + e) * n + i];
    }
    for (int e = 0; e < 8; ++e) b[e * n + i] = s[e];
  });
}

// 32 bits.
void narrow(sycl::queue& q, const int* a, int* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    int stack[32];
    int top = 0;
    for (int j = 0; j < m; ++j) {
      if (top < 32) stack[top++] = a[j * n + i];
    }
    while (top > 0) b[top * n + i] = stack[--top];
  });
}

// Another function may write it.
void filled(sycl::queue& q, const int* a, int* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    long v[8];
    fill(v, m);
    int x = a[i];
    b[i] = v[x & 7];
  });
}
