// On Intel 16-bit elements share registers: 20 halves are 40 bytes, 10 of the 64 registers, and no finding. IGC keeps
// them in registers; with 36 it spills 98 of them.
#include <sycl/sycl.hpp>

void reverse(sycl::queue& queue, const sycl::half* a, sycl::half* out, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(128)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    sycl::half kept[20];
#pragma unroll
    for (int k = 0; k < 20; ++k) kept[k] = a[k * n + i];
#pragma unroll
    for (int k = 0; k < 20; ++k) out[(19 - k) * n + i] = kept[k];
  });
}
