#include <sycl/sycl.hpp>

void product(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float acc[4][4] = {};
    for (int j = 0; j < m; ++j)
#pragma unroll
      for (int u = 0; u < 4; ++u)
#pragma unroll
        for (int v = 0; v < 4; ++v) acc[u][v] += a[i + (j * 4 + u) * n] * a[j * 4 + v];
    for (int u = 0; u < 4; ++u)
      for (int v = 0; v < 4; ++v) b[i + u + v] = acc[u][v];
  });
}
