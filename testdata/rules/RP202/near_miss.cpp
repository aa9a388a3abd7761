// Float all through.
#include <sycl/sycl.hpp>

void spectrum(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float x = a[i];
    b[i] = 0.5 * sycl::exp(-0.5f * x * x);
  });
}
