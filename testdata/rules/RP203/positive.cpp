// The twins of positive.hip in SYCL: clang compiles both for AMD, with the same library.
// targets: gfx90a
#include <sycl/sycl.hpp>

void rates(sycl::queue& queue, const double* a, double* b, double p, int m, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) [[sycl::reqd_work_group_size(256)]] {
    const int i = item.get_global_id(0);
    double s[8];
    for (int k = 0; k < 8; ++k) s[k] = a[i + k];
    for (int j = 0; j < m; ++j) {
      double y = sycl::pow(a[j], p);  // expect: RP203 info @18 "FP64 `pow` in the loop at line 10" "about 60; the estimate is 80 (6 waves)"
      for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
    }
    double t = 0.0;
    for (int k = 0; k < 8; ++k) t += s[k];
    b[i] = t;
  });
}

// A functor.
struct Small {
  const double* a;
  double* b;
  int m;
  void operator()(sycl::nd_item<1> item) const {
    const int i = item.get_global_id(0);
    double s = 0.0;
    for (int j = 0; j < m; ++j) s += sycl::exp(a[j] * a[i]);  // expect: RP203 hint @38 "FP64 `exp`"
    b[i] = s;
  }
};

void small(sycl::queue& queue, const double* a, double* b, int m, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), Small{a, b, m});
}
