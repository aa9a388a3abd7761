// targets: gfx90a, pvc
// 16 copies of exp and sin of SYCL; on Intel unrolling was measured to change the size of the code only.
#include <sycl/sycl.hpp>

void waves(sycl::queue& q, const double* a, double* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) [[sycl::reqd_work_group_size(256)]] {
    int i = it.get_global_id(0);
    double s = 0.0;
    // expect-next-line: RP501 warning @1 "16 copies of `exp` and `sin` in FP64"
#pragma unroll 16
    for (int k = 0; k < 64; ++k) s += sycl::exp(a[k * n + i]) * sycl::sin(a[k * n + i]);  // expect: RP203 warning @65
    b[i] = s;
  });
}
