// The kernels of large.cl in SYCL.
#include <sycl/sycl.hpp>

void large_smell(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float acc[8][8];
    for (int u = 0; u < 8; ++u)
      for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
    for (int j = 0; j < m; ++j)
      for (int u = 0; u < 8; ++u)
        for (int v = 0; v < 8; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
    for (int u = 0; u < 8; ++u)
      for (int v = 0; v < 8; ++v) b[(u * 8 + v) * n + i] = acc[u][v];
  });
}

void large_repaired(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float acc[4][8];
    for (int u = 0; u < 4; ++u)
      for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
    for (int j = 0; j < m; ++j)
      for (int u = 0; u < 4; ++u)
        for (int v = 0; v < 8; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
    for (int u = 0; u < 4; ++u)
      for (int v = 0; v < 8; ++v) b[(u * 8 + v) * n + i] = acc[u][v];
  });
}

void unrolled_smell(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float acc[8][8];
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
    for (int j = 0; j < m; ++j)
#pragma unroll
      for (int u = 0; u < 8; ++u)
#pragma unroll
        for (int v = 0; v < 8; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) b[(u * 8 + v) * n + i] = acc[u][v];
  });
}

void unrolled_repaired(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float acc[4][8];
#pragma unroll
    for (int u = 0; u < 4; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
    for (int j = 0; j < m; ++j)
#pragma unroll
      for (int u = 0; u < 4; ++u)
#pragma unroll
        for (int v = 0; v < 8; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
#pragma unroll
    for (int u = 0; u < 4; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) b[(u * 8 + v) * n + i] = acc[u][v];
  });
}
