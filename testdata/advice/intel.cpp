// Kernels for which `kernels --advise --arch pvc` has something to say: `advice_truth.py pvc` compiles each change.
#include <sycl/sycl.hpp>

// 64 bins at run-time indices: narrower elements, LDS.
void histogram(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    unsigned h[64];
    for (int k = 0; k < 64; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 63] += 1;
    for (int k = 0; k < 64; ++k) b[k * n + i] = h[k];
  });
}

// The bins of the document, which a compiler does not take apart for being volatile.
void volatile_bins(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    volatile unsigned h[16];
    for (int k = 0; k < 16; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 15] += 1;
    for (int k = 0; k < 16; ++k) b[k * n + i] = h[k];
  });
}

// Bins of 64 bits.
void long_bins(sycl::queue& q, const unsigned* a, unsigned long* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    unsigned long h[32];
    for (int k = 0; k < 32; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1;
    for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
  });
}

// A stack of nodes that are still to be looked at.
void stack_walk(sycl::queue& q, const int* children, const float* bounds, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0), top = 0;
    int stack[64];
    float best = 1e30f;
    stack[top++] = 0;
    while (top > 0) {
      int node = stack[--top];
      float d = bounds[node] - bounds[i];
      if (d * d < best) {
        best = d * d;
        if (children[2 * node] >= 0 && top < 62) {
          stack[top++] = children[2 * node];
          stack[top++] = children[2 * node + 1];
        }
      }
    }
    b[i] = best;
  });
}

// A tile of 8 x 8 sums, more than 32 lanes have room for with what feeds it.
void tile(sycl::queue& q, const float* a, const float* c, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float acc[8][8];
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
    for (int j = 0; j < m; ++j)
#pragma unroll
      for (int u = 0; u < 8; ++u)
#pragma unroll
        for (int v = 0; v < 8; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * c[i + (j * 8 + v) * n];
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) b[(u * 8 + v) * n + i] = acc[u][v];
  });
}

// Two groups of sums that have only the loop in common.
void two_groups(sycl::queue& q, const float* a, const float* c, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float s[40], t[40];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = t[k] = 0.0f;
    for (int j = 0; j < m; ++j) {
      float x = a[j * n + i], y = c[j * n + i];
#pragma unroll
      for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
#pragma unroll
      for (int k = 0; k < 40; ++k) t[k] = t[k] * y + t[(k + 1) % 40];
    }
    float r = 0.0f, u = 0.0f;
#pragma unroll
    for (int k = 0; k < 40; ++k) r += s[k];
    b[i] = r;
#pragma unroll
    for (int k = 0; k < 40; ++k) u += t[k];
    b[n + i] = u;
  });
}

// Sums of double precision that registers hold at 16 lanes.
void doubles(sycl::queue& q, const double* a, double* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    double s[36];
#pragma unroll
    for (int k = 0; k < 36; ++k) s[k] = 0.0;
    for (int j = 0; j < m; ++j) {
      double x = a[j * n + i];
#pragma unroll
      for (int k = 0; k < 36; ++k) s[k] = s[k] * x + s[(k + 1) % 36];
    }
    double r = 0.0;
#pragma unroll
    for (int k = 0; k < 36; ++k) r += s[k];
    b[i] = r;
  });
}

// A loop of 96 steps unrolled by its pragma, with a load in each.
void copies(sycl::queue& q, const float* a, const float* c, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float s = 0.0f, t = 0.0f;
#pragma unroll 96
    for (int k = 0; k < 96; ++k) {
      float x = a[k * n + i], y = c[(95 - k) * n + i];
      s = s * x + y;
      t = t * y + s;
    }
    b[i] = s + t;
  });
}

// 24 values that a loop with many sums only carries through.
void carried(sycl::queue& q, const float* w, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float e[24], s[48];
#pragma unroll
    for (int k = 0; k < 24; ++k) e[k] = w[k * n + i];
#pragma unroll
    for (int k = 0; k < 48; ++k) s[k] = 0.0f;
    for (int j = 0; j < m; ++j) {
      float x = a[j * n + i];
#pragma unroll
      for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
    }
    float t = 0.0f;
#pragma unroll
    for (int k = 0; k < 24; ++k) t += e[k] * s[k] + s[k + 24];
    b[i] = t;
  });
}
