// Six doubles that a loop only carries through, in a work-group whose size leaves 128 VGPRs.
// targets: gfx90a
#include <sycl/sycl.hpp>

void step(sycl::queue& queue, const double* w, const double* a, double* b, int m, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 1024), [=](sycl::nd_item<1> item) [[sycl::reqd_work_group_size(1024)]] {
    const int i = item.get_global_id(0);
    double e0 = w[i] * 2;  // expect: RP802 info @12 "registers that the loop at line" "in blocks of 1,024"; RP301 "computed of loads"
    double e1 = w[1 * n + i] * 3;
    double e2 = w[2 * n + i] * 4;
    double e3 = w[3 * n + i] * 5;
    double e4 = w[4 * n + i] * 6;
    double e5 = w[5 * n + i] * 7;
    double s[40];
    for (int k = 0; k < 40; ++k) s[k] = 0.0;
    for (int j = 0; j < m; ++j) {
      double x = a[j * n + i];
      for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
    }
    double r = e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5];
    for (int k = 6; k < 40; ++k) r += s[k];
    b[i] = r;
  });
}
