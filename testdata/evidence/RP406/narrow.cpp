// The kernels of narrow.cl in SYCL.
#include <sycl/sycl.hpp>

void best_smell(sycl::queue& q, const float* a, const float* c, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float s[24];
    size_t at[24];
#pragma unroll
    for (int e = 0; e < 24; ++e) {
      s[e] = 1e30f;
      at[e] = 0;
    }
    for (int j = 0; j < m; ++j) {
      float y = c[j * n + i];
#pragma unroll
      for (int e = 0; e < 24; ++e) {
        float d = sycl::fabs(a[e] - y);
        if (d < s[e]) {
          s[e] = d;
          at[e] = j;
        }
      }
    }
#pragma unroll
    for (int e = 0; e < 24; ++e) b[e * n + i] = c[at[e]] * s[e];
  });
}

void best_repaired(sycl::queue& q, const float* a, const float* c, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float s[24];
    unsigned at[24];
#pragma unroll
    for (int e = 0; e < 24; ++e) {
      s[e] = 1e30f;
      at[e] = 0;
    }
    for (int j = 0; j < m; ++j) {
      float y = c[j * n + i];
#pragma unroll
      for (int e = 0; e < 24; ++e) {
        float d = sycl::fabs(a[e] - y);
        if (d < s[e]) {
          s[e] = d;
          at[e] = j;
        }
      }
    }
#pragma unroll
    for (int e = 0; e < 24; ++e) b[e * n + i] = c[at[e]] * s[e];
  });
}

void flags_smell(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    long seen[16];
#pragma unroll
    for (int e = 0; e < 16; ++e) seen[e] = 0;
    for (int j = 0; j < m; ++j) {
      float x = a[j * n + i];
#pragma unroll
      for (int e = 0; e < 16; ++e) {
        if (x > e) seen[e] = 1;
      }
    }
    float s = 0.0f;
#pragma unroll
    for (int e = 0; e < 16; ++e) {
      if (seen[e]) s += e * s + 1.0f;
    }
    b[i] = s;
  });
}

void flags_repaired(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    int seen[16];
#pragma unroll
    for (int e = 0; e < 16; ++e) seen[e] = 0;
    for (int j = 0; j < m; ++j) {
      float x = a[j * n + i];
#pragma unroll
      for (int e = 0; e < 16; ++e) {
        if (x > e) seen[e] = 1;
      }
    }
    float s = 0.0f;
#pragma unroll
    for (int e = 0; e < 16; ++e) {
      if (seen[e]) s += e * s + 1.0f;
    }
    b[i] = s;
  });
}

void stack_smell(sycl::queue& q, const int* a, int* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    long stack[32];
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

void stack_repaired(sycl::queue& q, const int* a, int* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    int stack[32];
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

void permutation_smell(sycl::queue& q, const int* a, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    size_t p[16];
    for (int e = 0; e < 16; ++e) p[e] = e;
    for (int j = 0; j < m; ++j) {
      int x = a[j * n + i] & 15;
      size_t t = p[0];
      p[0] = p[x];
      p[x] = t;
    }
    for (int e = 0; e < 16; ++e) b[e * n + i] = p[e];
  });
}

void permutation_repaired(sycl::queue& q, const int* a, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    unsigned p[16];
    for (int e = 0; e < 16; ++e) p[e] = e;
    for (int j = 0; j < m; ++j) {
      int x = a[j * n + i] & 15;
      unsigned t = p[0];
      p[0] = p[x];
      p[x] = t;
    }
    for (int e = 0; e < 16; ++e) b[e * n + i] = p[e];
  });
}

void held_smell(sycl::queue& q, const float* a, const int* k, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    long at[24];
#pragma unroll
    for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
    float s = 0.0f;
    const float* p = a;
    for (int j = 0; j < m; ++j, p += n) {
#pragma unroll
      for (int e = 0; e < 24; ++e) s = s * 0.5f + p[at[e]];
    }
    b[i] = s;
  });
}

void held_repaired(sycl::queue& q, const float* a, const int* k, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    int at[24];
#pragma unroll
    for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
    float s = 0.0f;
    const float* p = a;
    for (int j = 0; j < m; ++j, p += n) {
#pragma unroll
      for (int e = 0; e < 24; ++e) s = s * 0.5f + p[at[e]];
    }
    b[i] = s;
  });
}

void scaled_smell(sycl::queue& q, const float* a, const unsigned* k, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    size_t at[24];
#pragma unroll
    for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
    float s = 0.0f;
    for (int j = 0; j < m; ++j) {
#pragma unroll
      for (int e = 0; e < 24; ++e) s = s * 0.5f + a[at[e] * m + j];
    }
    b[i] = s;
  });
}

void scaled_repaired(sycl::queue& q, const float* a, const unsigned* k, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    unsigned at[24];
#pragma unroll
    for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
    float s = 0.0f;
    for (int j = 0; j < m; ++j) {
#pragma unroll
      for (int e = 0; e < 24; ++e) s = s * 0.5f + a[at[e] * m + j];
    }
    b[i] = s;
  });
}
