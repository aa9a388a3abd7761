// Work-groups that fill their sub-groups badly.
#include <sycl/sycl.hpp>

void asked(sycl::queue& queue, const float* a, float* b, int n) {
  // expect-next-line: RP106 warning "with 100 threads per block: 28 of the 128 lanes of its 4 waves of 32 are idle on pvc (22%)"
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(100)), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(32)]] {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i < n) b[i] = 2.0f * a[i];
  });
}

void open(sycl::queue& queue, const float* a, float* b, int n) {
  // expect-next-line: RP106 warning "with 20 threads per block: 12 or more of the 32 lanes of its"
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(20)), [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i < n) b[i] = 2.0f * a[i];
  });
}

// Two work-groups of 24 threads at sub-group size 32, one of 48 at 16: 48 of 64 slots either way.
void slots(sycl::queue& queue, const float* a, float* b, int n) {
  // expect-next-line: RP106 info "2 blocks fill 48 of 64 wave slots of an Xe-core on pvc" "blocks of 512 would fill 64"
  queue.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(768)), [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    b[i] = a[i];
    sycl::group_barrier(item.get_group());
    a[n - 1 - i] > 0.0f ? b[i] += 1.0f : b[i] -= 1.0f;
  });
}
