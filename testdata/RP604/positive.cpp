// Captured pointers: no `__restrict__`, but an attribute of the kernel.
// targets: gfx90a, pvc
#include <sycl/sycl.hpp>

void cell(sycl::queue& q, const float* w, const float* a, float* b, int steps, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {
    int i = it.get_global_id(0);
    float h[3] = {0.0f, 0.0f, 0.0f}, c[3] = {0.0f, 0.0f, 0.0f};
    for (int t = 0; t < steps; ++t) {
      float x = a[t * n + i], g[4][3];
      for (int r = 0; r < 4; ++r) {
        for (int k = 0; k < 3; ++k) {
          float s = w[36 + r * 3 + k] * x + w[48 + r * 3 + k];  // expect: RP604 @21 "`w[36 + r * 3 + k]`" "240 bytes"
          for (int j = 0; j < 3; ++j) s += w[(r * 3 + k) * 3 + j] * h[j];
          g[r][k] = r == 3 ? sycl::tanh(s) : 1.0f / (1.0f + sycl::exp(-s));
        }
      }
      for (int k = 0; k < 3; ++k) {
        c[k] = c[k] * g[1][k] + g[3][k] * g[0][k];
        h[k] = sycl::tanh(c[k]) * g[2][k];
      }
      b[t * n + i] = h[0] + h[1] + h[2];
    }
  });
}
