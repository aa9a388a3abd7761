// Lanes beside each other, rows with gaps, one element, local and private memory, bounds that are not known: silent.
#include <sycl/sycl.hpp>

void beside(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    for (int k = 0; k < 8; ++k) b[k * n + i] = a[k * 64 + i] * 2.0f;
  });
}

void gaps(sycl::queue& q, const float* a, float* b, int n, int m) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    for (int k = 0; k < 8; ++k) b[i * 9 + k] = a[i * m + k];
    for (int k = 0; k < m; ++k) b[i * 8 + k] += 1.0f;
    b[i * 2 + 1] = 1.0f;
    for (int k = 0; k < 2; ++k) b[i * 2 + k] = 2.0f;
  });
}

void uniform(sycl::queue& q, const float* a, float* b, int n) {
  q.submit([&](sycl::handler& h) {
    sycl::local_accessor<float, 1> tile(64 * 8, h);
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
      int i = item.get_local_id(0), group = item.get_group(0);
      float v[8];
      for (int k = 0; k < 8; ++k) v[k] = a[group * 8 + k];
      for (int k = 0; k < 8; ++k) tile[i * 8 + k] = v[k];
      item.barrier();
      b[item.get_global_id(0)] = tile[63 - i];
    });
  });
}

void rows(sycl::queue& q, float* b, int n) {
  q.parallel_for(sycl::nd_range<2>({64, 64}, {8, 8}), [=](sycl::nd_item<2> item) {
    int row = item.get_global_id(0);
    for (int k = 0; k < 8; ++k) b[row * 8 + k] = 1.0f;
  });
}

// A loop that may end before its block does.
void until(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {
    int i = it.get_global_id(0);
    for (int k = 0; k < 16; ++k) {
      if (a[i * 16 + k] < 0.0f) break;
      b[i * 16 + k] = a[i * 16 + k];
    }
  });
}
