// SYCL has sub-groups for this.
// targets: gfx90a, pvc
#include <sycl/sycl.hpp>

void filters(sycl::queue& queue, const float* w, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(256)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0)), wave = static_cast<int>(item.get_local_id(0)) / 64;
    float s = 0.0f;
    for (int k = 0; k < 16; ++k) s += w[wave * 16 + k] * a[i + k * n];
    b[i] = s;
  });
}
