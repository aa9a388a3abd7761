// 32 bins of 64 bits at run-time indices: more than IGC keeps in registers.
#include <sycl/sycl.hpp>

void histogram(sycl::queue& queue, const unsigned* a, unsigned long* out, int m, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(128)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    unsigned long bins[32];  // expect: RP403 warning @19 "(256 bytes per thread) goes to private memory on pvc" "IGC 1.0.12504 keeps 96 bytes without a required sub-group size"
    for (int k = 0; k < 32; ++k) bins[k] = 0;
    for (int j = 0; j < m; ++j) bins[a[j * n + i] % 32] += 1;
    for (int k = 0; k < 32; ++k) out[k * n + i] = bins[k];
  });
}
