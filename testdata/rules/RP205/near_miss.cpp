// Nothing was measured on Intel: silent there.
#include <sycl/sycl.hpp>

void spins(sycl::queue& queue, const float* a, float* out, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float p = a[i];
    out[i] = sycl::cos(p) * sycl::sin(p);
  });
}
