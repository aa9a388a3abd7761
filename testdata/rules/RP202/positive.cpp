// The same in SYCL.
#include <sycl/sycl.hpp>

void spectrum(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float x = a[i];
    float y = sycl::exp(-0.5 * x * x);  // expect: RP202 info @15 "because of `-0.5`"
    b[i] = y;
  });
}
