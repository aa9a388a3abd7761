// The kernels of bins.cl in SYCL.
#include <sycl/sycl.hpp>

void bins_smell(sycl::queue& q, const unsigned* data, unsigned* out, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    unsigned long bins[32];
    for (int k = 0; k < 32; ++k) bins[k] = 0;
    for (int j = 0; j < m; ++j) bins[data[i * m + j] % 32] += 1;
    for (int k = 0; k < 32; ++k) out[i * 32 + k] = (unsigned)bins[k];
  });
}

void bins_repaired(sycl::queue& q, const unsigned* data, unsigned* out, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    unsigned bins[32];
    for (int k = 0; k < 32; ++k) bins[k] = 0;
    for (int j = 0; j < m; ++j) bins[data[i * m + j] % 32] += 1;
    for (int k = 0; k < 32; ++k) out[i * 32 + k] = (unsigned)bins[k];
  });
}

void many_smell(sycl::queue& q, const unsigned* data, unsigned* out, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    unsigned bins[128];
    for (int k = 0; k < 128; ++k) bins[k] = 0;
    for (int j = 0; j < m; ++j) bins[data[i * m + j] % 128] += 1;
    for (int k = 0; k < 128; ++k) out[i * 128 + k] = (unsigned)bins[k];
  });
}

void many_repaired(sycl::queue& q, const unsigned* data, unsigned* out, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    unsigned bins[32];
    for (int k = 0; k < 32; ++k) bins[k] = 0;
    for (int j = 0; j < m; ++j) bins[data[i * m + j] % 32] += 1;
    for (int k = 0; k < 32; ++k) out[i * 32 + k] = (unsigned)bins[k];
  });
}
