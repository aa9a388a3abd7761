// targets: gfx90a, sm_90
// The types of what a kernel captures are in view.
#include <sycl/sycl.hpp>

void walk(sycl::queue& queue, const float* a, float* b, size_t w, int m, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {
    size_t k = it.get_global_id(0);
    for (int j = 0; j < m; ++j) k = (k * 31 + j) % w;  // expect: RP206 hint @37 "divides 64-bit integers (`size_t`)"
    b[it.get_global_id(0)] = a[k];
  });
}
