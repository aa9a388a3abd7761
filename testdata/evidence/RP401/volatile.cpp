// The kernels of volatile.cl in SYCL.
#include <sycl/sycl.hpp>

void window_smell(sycl::queue& q, const float* a, float* b, int stride, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    volatile float w[32];
    for (int j = 0; j < 32; ++j) w[j] = a[i + j * stride];
    float s = 0.0f;
    for (int j = 0; j < 32; ++j) s += w[j] * w[31 - j];
    b[i] = s;
  });
}

void window_repaired(sycl::queue& q, const float* a, float* b, int stride, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float w[32];
    for (int j = 0; j < 32; ++j) w[j] = a[i + j * stride];
    float s = 0.0f;
    for (int j = 0; j < 32; ++j) s += w[j] * w[31 - j];
    b[i] = s;
  });
}
