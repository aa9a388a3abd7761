// The twins of positive.hip in SYCL: clang makes the same code of them for AMD.
// targets: gfx90a
#include <sycl/sycl.hpp>

void cell(sycl::queue& queue, const float* w, const float* a, float* b, int steps, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(256)}, [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    int wave = item.get_local_id(0) / 64;  // expect: RP305 warning @16 "`item.get_local_id(0) / 64`" "64 threads" "240 bytes"
    const float* v = w + wave * 60;
    float h[3] = {0.0f, 0.0f, 0.0f}, c[3] = {0.0f, 0.0f, 0.0f};
    for (int t = 0; t < steps; ++t) {
      float x = a[t * n + i], g[4][3];
      for (int q = 0; q < 4; ++q) {
        for (int k = 0; k < 3; ++k) {
          float s = v[36 + q * 3 + k] * x + v[48 + q * 3 + k];
          for (int j = 0; j < 3; ++j) s += v[(q * 3 + k) * 3 + j] * h[j];
          g[q][k] = q == 3 ? sycl::tanh(s) : 1.0f / (1.0f + sycl::exp(-s));
        }
      }
      for (int k = 0; k < 3; ++k) {
        c[k] = c[k] * g[1][k] + g[3][k] * g[0][k];
        h[k] = sycl::tanh(c[k]) * g[2][k];
      }
    }
    b[i] = h[0] + h[1] + h[2];
  });
}

// The place in the grid, of a launch with whole waves, and an item of three dimensions of which one is used.
void grid(sycl::queue& queue, const float* w, const float* a, float* b, int n) {
  sycl::range<3> block(1, 1, 256);
  queue.parallel_for(sycl::nd_range<3>(sycl::range<3>(1, 1, n / 256) * block, block), [=](sycl::nd_item<3> item) {
    int i = item.get_global_id(2), wave = i / 64;  // expect: RP305 hint @43 "`i / 64`"
    float s = 0.0f;
    for (int k = 0; k < 16; ++k) s += w[wave * 16 + k] * a[i + k * n];
    b[i] = s;
  });
}
