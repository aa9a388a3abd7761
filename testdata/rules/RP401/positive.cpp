// Volatile counters that belong to one work-item.
#include <sycl/sycl.hpp>

void tally(sycl::queue& queue, const unsigned* a, unsigned* out, int m, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(256)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    volatile unsigned bins[8];   // expect: RP401 warning @5 "array `bins` (unsigned" "private memory on pvc"
    volatile unsigned total = 0; // expect: RP401 warning @5 "total"
    for (int k = 0; k < 8; ++k) bins[k] = 0;
    for (int j = 0; j < m; ++j) {
      bins[a[j * n + i] & 7] = j;
      total = total + bins[0];
    }
    out[i] = total + bins[1];
  });
}
