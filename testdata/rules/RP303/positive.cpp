// Two recurrences in one loop.
// targets: sm_90
#include <sycl/sycl.hpp>

void step(sycl::queue& queue, const double* p, const double* q, double* b, int m, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(256)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    double s[16];
    for (int k = 0; k < 16; ++k) s[k] = 0.0;
    double t[16];
    for (int k = 0; k < 16; ++k) t[k] = 0.0;
    for (int j = 0; j < m; ++j) {  // expect: RP303 warning @5 "2 groups"
      double x = p[j * n + i];
      for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
      double y = q[j * n + i];
      for (int k = 0; k < 16; ++k) t[k] = t[k] * y + t[(k + 1) % 16] + y;
    }
    double u = 0.0;
    for (int k = 0; k < 16; ++k) u += s[k];
    b[i] = u;
    double v = 0.0;
    for (int k = 0; k < 16; ++k) v += t[k];
    b[n + i] = v;
  });
}
