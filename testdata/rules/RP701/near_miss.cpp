// Function objects and constants: what is called is known.
// targets: gfx90a, sm_90, pvc
#include <sycl/sycl.hpp>

void scaled(sycl::queue& queue, const float* a, float* b, int n) {
  auto twice = [](float x) { return 2.0f * x; };
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { b[i] = twice(a[i]); });
}
