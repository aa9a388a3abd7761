// Powers that are no finding.
#include <sycl/sycl.hpp>

void powers(sycl::queue& queue, const double* a, double* out, double gamma, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(256)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    out[i] = sycl::pow(a[i], gamma) + sycl::pow(a[i], 2.5);
    out[n + i] = a[i] * a[i];
  });
}
