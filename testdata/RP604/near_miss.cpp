// Captured pointers have no declaration that could say `__restrict__`.
// targets: gfx90a, pvc
#include <sycl/sycl.hpp>

void filter(sycl::queue& queue, const float* w, const float* a, float* b, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    b[i] = 0.0f;
    float s = 0.0f;
    for (int k = 0; k < 32; ++k) s += w[k] * a[i + k];
    b[i] = s;
  });
}
