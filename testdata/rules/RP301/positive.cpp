// Ten doubles are loaded before a loop that does not touch them.
#include <sycl/sycl.hpp>

void step(sycl::queue& queue, const double* mass, const double* a, double* out, int steps, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(256)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    const double m0 = mass[0 * n + i];  // expect: RP301 @18 "20 registers held"
    const double m1 = mass[1 * n + i];
    const double m2 = mass[2 * n + i];
    const double m3 = mass[3 * n + i];
    const double m4 = mass[4 * n + i];
    const double m5 = mass[5 * n + i];
    const double m6 = mass[6 * n + i];
    const double m7 = mass[7 * n + i];
    const double m8 = mass[8 * n + i];
    const double m9 = mass[9 * n + i];
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, s5 = 0.0;
    for (int k = 0; k < steps; ++k) {
      const double v = a[k * n + i];
      s0 += v * (v + s1);
      s1 += v * (v + s2);
      s2 += v * (v + s3);
      s3 += v * (v + s4);
      s4 += v * (v + s5);
      s5 += v * (v + s0);
    }

    out[0 * n + i] = m0 + s0;
    out[1 * n + i] = m1 + s1;
    out[2 * n + i] = m2 + s2;
    out[3 * n + i] = m3 + s3;
    out[4 * n + i] = m4 + s4;
    out[5 * n + i] = m5 + s5;
    out[6 * n + i] = m6 + s0;
    out[7 * n + i] = m7 + s1;
    out[8 * n + i] = m8 + s2;
    out[9 * n + i] = m9 + s3;
  });
}
