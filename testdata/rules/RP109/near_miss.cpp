#include <sycl/sycl.hpp>

// 30 of 64 registers.
void few(sycl::queue& q, const float* in, float* out, int n) {
  q.parallel_for(sycl::nd_range<1>(1 << 20, 256), [=](sycl::nd_item<1> item) {
    int t = item.get_global_id(0);
    float a[8], b[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      a[i] = in[t + i];
      b[i] = in[t + i + 7];
    }
    for (int k = 0; k < n; ++k) {
      float s = in[k];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        a[i] = a[i] * s + b[i];
        b[i] = b[i] - a[i] * s;
      }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) out[t + i * n] = a[i] + b[i];
  });
}
