// The kernels of tiles.cl in SYCL.
#include <sycl/sycl.hpp>

void bounds_smell(sycl::queue& q, const float* a, float* b, int m, int tm, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    float acc[8][8];
    for (int u = 0; u < 8; ++u)
      for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
    for (int j = 0; j < m; ++j)
      for (int u = 0; u < tm; ++u)
        for (int v = 0; v < tm; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
    float t = 0.0f;
    for (int u = 0; u < tm; ++u)
      for (int v = 0; v < tm; ++v) t += acc[u][v] * (u + v);
    b[i] = t;
  });
}

void bounds_repaired(sycl::queue& q, const float* a, float* b, int m, int tm, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    float acc[8][8];
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) acc[u][v] = 0.0f;
    for (int j = 0; j < m; ++j)
#pragma unroll
      for (int u = 0; u < 8; ++u)
#pragma unroll
        for (int v = 0; v < 8; ++v)
          acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
    float t = 0.0f;
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) t += acc[u][v] * (u + v);
    b[i] = t;
  });
}
