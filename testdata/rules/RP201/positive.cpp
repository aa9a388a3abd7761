// Small constant powers in SYCL.
#include <sycl/sycl.hpp>

void powers(sycl::queue& queue, const double* a, const float* f, double* out, float* fout, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(256)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    out[i] = sycl::pow(a[i], 2.0);        // expect: RP201 warning @14 "with all 3 such fixes the estimate is"
    fout[i] = sycl::pow(f[i], 2.0f);      // expect: RP201 @15 "with all 3 such fixes"
    fout[n + i] = sycl::pown(f[i], 2);    // expect: RP201 @19 "sycl::pown"
  });
}
