// Work-groups that agree with their attributes, and one of unknown size.
#include <sycl/sycl.hpp>

void required(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<2>(sycl::range<2>(n, 64), sycl::range<2>(4, 64)), [=](sycl::nd_item<2> item) [[sycl::reqd_work_group_size(4, 64)]] {
    const int i = static_cast<int>(item.get_global_linear_id());
    b[i] = 2.0f * a[i];
  });
}

void largest(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(64)), [=](sycl::nd_item<1> item) [[intel::max_work_group_size(1, 1, 128)]] {
    const int i = static_cast<int>(item.get_global_linear_id());
    b[i] = 2.0f * a[i];
  });
}

void unknown(sycl::queue& queue, const float* a, float* b, int n, int size) {
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(size)), [=](sycl::nd_item<1> item) [[sycl::reqd_work_group_size(128)]] {
    const int i = static_cast<int>(item.get_global_linear_id());
    b[i] = 2.0f * a[i];
  });
}
