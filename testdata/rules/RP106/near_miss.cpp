// Whole sub-groups at every size that the compiler may pick, and a size that only it knows.
#include <sycl/sycl.hpp>

void whole(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(96)), [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i < n) b[i] = 2.0f * a[i];
  });
}

void asked(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(48)), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i < n) b[i] = 2.0f * a[i];
  });
}

void unknown(sycl::queue& queue, const float* a, float* b, int n, int size) {
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(size)), [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i < n) b[i] = 2.0f * a[i];
  });
}

void free_choice(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { b[i] = 2.0f * a[i]; });
}

// Without a barrier or local memory a work-group need not stay on one Xe-core.
void nothing_shared(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(768)), [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i < n) b[i] = 2.0f * a[i];
  });
}
