// A single task is one thread: information.
#include <sycl/sycl.hpp>

void norm(sycl::queue& queue, const double* a, double* out) {
  queue.single_task([=]() {
    out[0] = sycl::pow(a[0], 2.0);  // expect: RP201 info @14 "with the fix the estimate is"
  });
}
