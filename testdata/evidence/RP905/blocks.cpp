// The kernels of blocks.cl in SYCL.
#include <sycl/sycl.hpp>

using Pointer = sycl::multi_ptr<float, sycl::access::address_space::global_space>;

void scale_smell(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
#pragma unroll
    for (int k = 0; k < 16; ++k) b[i * 16 + k] = a[i * 16 + k] * 2.0f;
  });
}

void scale_repaired(sycl::queue& q, float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    auto group = item.get_sub_group();
    int i = (item.get_global_id(0) - group.get_local_id()[0]) * 16;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float x = group.load(Pointer(a + i + 16 * k));
      group.store(Pointer(b + i + 16 * k), x * 2.0f);
    }
  });
}

void kept_smell(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    float v[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) v[k] = a[i * 16 + k];
    float s = 0.0f;
    for (int j = 0; j < m; ++j) {
#pragma unroll
      for (int k = 0; k < 16; ++k) s = s * v[k] + v[15 - k];
    }
    b[i] = s;
  });
}

void kept_repaired(sycl::queue& q, float* a, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    auto group = item.get_sub_group();
    int i = item.get_global_id(0);
    float v[16];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      auto x = group.load<8>(Pointer(a + (i - group.get_local_id()[0]) * 16 + 128 * h));
#pragma unroll
      for (int k = 0; k < 8; ++k) v[8 * h + k] = x[k];
    }
    float s = 0.0f;
    for (int j = 0; j < m; ++j) {
#pragma unroll
      for (int k = 0; k < 16; ++k) s = s * v[k] + v[15 - k];
    }
    b[i] = s;
  });
}

void crowded_smell(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    float v[64];
#pragma unroll
    for (int k = 0; k < 64; ++k) v[k] = a[i * 64 + k];
#pragma unroll
    for (int k = 0; k < 64; ++k) b[i * 64 + k] = v[k] * v[63 - k] + v[(k + 13) % 64];
  });
}

void crowded_repaired(sycl::queue& q, float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    auto group = item.get_sub_group();
    int i = (item.get_global_id(0) - group.get_local_id()[0]) * 64;
    float v[64];
#pragma unroll
    for (int k = 0; k < 64; ++k) v[k] = group.load(Pointer(a + i + 16 * k));
#pragma unroll
    for (int k = 0; k < 64; ++k) group.store(Pointer(b + i + 16 * k), v[k] * v[63 - k] + v[(k + 13) % 64]);
  });
}

void neighbours_smell(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    b[i] = a[i];
  });
}

void neighbours_repaired(sycl::queue& q, float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    auto group = item.get_sub_group();
    int i = item.get_global_id(0) - group.get_local_id()[0];
    group.store(Pointer(b + i), group.load(Pointer(a + i)));
  });
}
