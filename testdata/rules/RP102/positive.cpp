// Work-groups that are not the required ones, or larger than the largest.
#include <sycl/sycl.hpp>

void required(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(256)), [=](sycl::nd_item<1> item) [[sycl::reqd_work_group_size(128)]] {  // expect: RP102 error "has `reqd_work_group_size(128)`, but is launched with a work-group of 256: the launch fails"
    const int i = static_cast<int>(item.get_global_linear_id());
    b[i] = 2.0f * a[i];
  });
}

void turned(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<2>(sycl::range<2>(n, 64), sycl::range<2>(4, 64)), [=](sycl::nd_item<2> item) [[sycl::reqd_work_group_size(64, 4)]] {  // expect: RP102 error "has `reqd_work_group_size(64, 4)`, but is launched with a work-group of 4 x 64"
    const int i = static_cast<int>(item.get_global_linear_id());
    b[i] = 2.0f * a[i];
  });
}

void largest(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(256)), [=](sycl::nd_item<1> item) [[intel::max_work_group_size(1, 1, 128)]] {  // expect: RP102 error "has `max_work_group_size(1, 1, 128)`, but is launched with a work-group of 256"
    const int i = static_cast<int>(item.get_global_linear_id());
    b[i] = 2.0f * a[i];
  });
}
