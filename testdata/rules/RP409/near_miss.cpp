// A loop of three iterations is copied, by IGC as by clang, and no pointer is left.
// targets: gfx90a, pvc
#include <sycl/sycl.hpp>

void relax(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float x[4], y[4];
    for (int j = 0; j < 4; ++j) x[j] = a[j * n + i];
    float *from = x, *to = y;
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 4; ++j) to[j] = 0.5f * from[j] + from[(j + 1) & 3];
      float* t = from;
      from = to;
      to = t;
    }
    b[i] = from[0] + from[3];
  });
}
