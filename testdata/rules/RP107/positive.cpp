// A budget above a SYCL kernel.
#include <sycl/sycl.hpp>

void run(sycl::queue& q, float* a) {
  // expect-next-line: RP107 warning @6 "exceeds its budget `registers<=1`"
  // regpress: budget registers<=1
  q.parallel_for(sycl::nd_range<1>(1024, 256), [=](sycl::nd_item<1> item) {
    const int i = item.get_global_id(0);
    a[i] = a[i] * a[i + 1] + a[i + 2];
  });
}
