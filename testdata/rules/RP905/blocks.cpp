// Elements in a row for each work-item, where a sub-group could load and store blocks.
#include <sycl/sycl.hpp>

constexpr int ITEMS = 8;

void scaled(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int first = item.get_global_id(0) * ITEMS;
    for (int k = 0; k < ITEMS; ++k) {
      b[first + k] = a[first + k] * 2.0f;  // expect: RP905 hint @7 "`b[first + k]`: each work-item reads and writes 8 consecutive elements of `b` and `a`, 32 bytes"
    }
  });
}

void summed(sycl::queue& q, const double* a, double* b, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    double s = 0.0;
#pragma unroll
    for (int k = 0; k < 4; ++k) s += a[n + i * 4 + k];  // expect: RP905 hint "reads 4 consecutive elements of `a`, 32 bytes"
    b[i] = s;
  });
}

void rows(sycl::queue& q, const int* a, int* b) {
  q.parallel_for(sycl::range<2>(64, 64), [=](sycl::item<2> item) {
    int at = item.get_linear_id();
    for (int k = 0; k < 16; ++k) b[k + 16 * at] = 0;  // expect: RP905 hint "writes 16 consecutive elements"
  });
}

void counted_late(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    int gid = item.get_global_id(0);
    float s = 0.0f;
    int each = 4;
    each *= 2;  // how often the loop runs is known to who executes the kernel
    for (int k = 0; k < each; ++k) s += a[gid * 8 + k];  // expect: RP905 hint "reads 8 consecutive elements of `a`"
    b[gid] = s;
  });
}
