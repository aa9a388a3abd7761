// targets: sm_90
#include <sycl/sycl.hpp>

void narrow(sycl::queue& q, double* out, const double* f, const double* g, const int* list, int n, int m) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    int at[12];
#pragma unroll
    for (int k = 0; k < 12; ++k) at[k] = list[k * n + i];
    double sum = 0;
    for (int r = 0; r < m; ++r) {
#pragma unroll
      for (int k = 0; k < 12; ++k) sum += f[at[k] + r * n] * g[at[k]] + g[at[k] * 3 + r];
    }
    out[i] = sum;
  });
}
