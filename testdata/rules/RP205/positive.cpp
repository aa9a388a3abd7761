// targets: gfx90a, gfx1100
// SYCL's sincos wants a multi_ptr: there is no fix.
#include <sycl/sycl.hpp>

void spins(sycl::queue& queue, const float* phase, const double* angle, float* out, double* d, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    const float p = phase[i];
    out[i] = sycl::cos(p) - sycl::sin(p);  // expect: RP205 hint @14 "with both such fixes the estimate is"
    d[i] = sycl::sin(angle[i]) * sycl::cos(angle[i]);  // expect: RP205 hint @12
  });
}
