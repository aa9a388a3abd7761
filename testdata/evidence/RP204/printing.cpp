// The kernels of printing.cl in SYCL.
#include <sycl/sycl.hpp>

void march_cl_smell(sycl::queue& q, const float* a, float* b, int n, int steps) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float s[8];
    for (int j = 0; j < 8; ++j) s[j] = a[i + j * n];
    for (int k = 0; k < steps; ++k) {
      float x = a[i + k];
      for (int j = 0; j < 8; ++j) s[j] = s[j] * x + s[(j + 1) % 8];
      if (s[0] < -1.0f) sycl::ext::oneapi::experimental::printf("cell %d, step %d: %f\n", int(i), k, s[0]);
    }
    for (int j = 0; j < 8; ++j) b[i + j * n] = s[j];
  });
}

void march_cl_repaired(sycl::queue& q, const float* a, float* b, int n, int steps) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float s[8];
    for (int j = 0; j < 8; ++j) s[j] = a[i + j * n];
    for (int k = 0; k < steps; ++k) {
      float x = a[i + k];
      for (int j = 0; j < 8; ++j) s[j] = s[j] * x + s[(j + 1) % 8];
    }
    for (int j = 0; j < 8; ++j) b[i + j * n] = s[j];
  });
}
