// A budget that is kept, and one for another architecture.
#include <sycl/sycl.hpp>

void run(sycl::queue& q, float* a) {
  // regpress: budget registers<=128 waves>=1
  q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> item) {
    const int i = item.get_global_id(0);
    a[i] = a[i] * a[i + 1] + a[i + 2];
  });
  // regpress: budget registers<=1 gfx90a
  q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> item) { a[item.get_global_id(0)] = 0; });
}
