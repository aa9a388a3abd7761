// The kernels of structs.cl in SYCL.
#include <sycl/sycl.hpp>

void vectors_smell(sycl::queue& q, const sycl::float4* a, const int* key, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    sycl::float4 v[8];
    for (int j = 0; j < 8; ++j) v[j] = a[j * n + i];
    float s = 0.0f;
    for (int k = 0; k < m; ++k) {
      int j = key[k * n + i];
      s += v[j].x() * v[j].y() + v[j].z() * v[j].w();
    }
    b[i] = s;
  });
}

void vectors_repaired(sycl::queue& q, const sycl::float4* a, const int* key, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float x[8], y[8], z[8], w[8];
    for (int j = 0; j < 8; ++j) {
      sycl::float4 e = a[j * n + i];
      x[j] = e.x();
      y[j] = e.y();
      z[j] = e.z();
      w[j] = e.w();
    }
    float s = 0.0f;
    for (int k = 0; k < m; ++k) {
      int j = key[k * n + i];
      s += x[j] * y[j] + z[j] * w[j];
    }
    b[i] = s;
  });
}
