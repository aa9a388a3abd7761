// 64-bit private arrays whose values fit in 32 bits.
#include <sycl/sycl.hpp>

void best(sycl::queue& q, const float* c, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float s[16];
    size_t at[16];  // expect: RP406 "`at` of 16 x size_t (128 bytes per thread) holds values from 0 to 2,147,483,646" "59 -> 47 registers on pvc"
#pragma unroll
    for (int e = 0; e < 16; ++e) {
      s[e] = 1e30f;
      at[e] = 0;
    }
    for (int j = 0; j < m; ++j) {
      float y = c[j * n + i];
#pragma unroll
      for (int e = 0; e < 16; ++e) {
        if (y < s[e]) {
          s[e] = y;
          at[e] = j;
        }
      }
    }
#pragma unroll
    for (int e = 0; e < 16; ++e) b[e * n + i] = c[at[e]] * s[e];
  });
}

void stack(sycl::queue& q, const int* a, int* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    long stack[32];  // expect: RP406 info "128 bytes of private memory less on pvc"; RP403
    int top = 0;
    for (int j = 0; j < m; ++j) {
      int x = a[j * n + i];
      if (x > 0 && top < 32) {
        stack[top++] = x;
      } else if (top > 0) {
        b[j * n + i] = stack[--top];
      }
    }
  });
}

void seen(sycl::queue& q, const int* a, int* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    int64_t seen[16];  // expect: RP406 "holds values from 0 to 1: with the fix"
#pragma unroll
    for (int e = 0; e < 16; ++e) seen[e] = 0;
    for (int j = 0; j < m; ++j) {
      int x = a[j * n + i];
#pragma unroll
      for (int e = 0; e < 16; ++e) seen[e] |= x > e;
    }
    int s = 0;
#pragma unroll
    for (int e = 0; e < 16; ++e) {
      if (seen[e] != 0) s += e;
    }
    b[i] = s;
  });
}

void histogram(sycl::queue& q, const int* a, int* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    unsigned long long bins[8];  // expect: RP406 "holds values from 0 to 512" "46 -> 38 registers"
    for (int k = 0; k < 8; ++k) bins[k] = 0;
    for (int j = 0; j < 256; ++j) {
      int x = a[j * n + i];
      bins[x & 7] += 1;
      bins[x >> 4 & 7]++;
    }
    for (int k = 0; k < 8; ++k) b[k * n + i] = bins[k] > 3 ? 1 : 0;
  });
}

void held(sycl::queue& q, const int* a, int* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    long at[8];  // expect: RP406 hint "compilers see that"
#pragma unroll
    for (int e = 0; e < 8; ++e) at[e] = a[e * n + i];
    int s = 0;
    const int* p = a;
    for (int j = 0; j < m; ++j, p += n) {
#pragma unroll
      for (int e = 0; e < 8; ++e) s = s * 3 + p[at[e]];
    }
    b[i] = s;
  });
}
