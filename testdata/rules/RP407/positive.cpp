#include <sycl/sycl.hpp>

void product(sycl::queue& q, const float* a, float* b, int m, int tm, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float acc[8][8] = {};  // expect: RP407 warning @11 "is not in registers but in private memory on pvc" "its bound `tm`"
    for (int j = 0; j < m; ++j)
      for (int u = 0; u < tm; ++u)
        for (int v = 0; v < tm; ++v) acc[u][v] += a[i + (j * 8 + u) * n] * a[j * 8 + v];
    for (int u = 0; u < tm; ++u)
      for (int v = 0; v < tm; ++v) b[i + u + v] = acc[u][v];
  });
}
