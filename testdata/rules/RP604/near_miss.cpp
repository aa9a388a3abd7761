// Read before the first store: nothing can change it.
// targets: gfx90a, pvc
#include <sycl/sycl.hpp>

void filter(sycl::queue& queue, const float* w, const float* a, float* b, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float s = 0.0f;
    for (int k = 0; k < 32; ++k) s += w[k] * a[i + k];
    b[i] = s;
  });
}

// The kernel promises that nothing overlaps.
void promised(sycl::queue& queue, const float* w, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) [[intel::kernel_args_restrict]] {
    const int i = item.get_global_id(0);
    b[i] = 0.0f;
    float s = 0.0f;
    for (int k = 0; k < 32; ++k) s += w[k] * a[i + k];
    b[i] = s;
  });
}
