// The sub-group size is asked for: nothing is assumed.
#include <sycl/sycl.hpp>

void stage(sycl::queue& queue, const float* a, float* b, int n) {
  queue.submit([&](sycl::handler& handler) {
    sycl::local_accessor<float, 1> s(sycl::range<1>(16384), handler);
    // expect-next-line: RP105 info "64 threads per block at sub-group size 16: limited by LDS (65,536 bytes per block)"
    handler.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(64)), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
      const int lane = static_cast<int>(item.get_local_id(0));
      for (int k = lane; k < 16384; k += 64) s[k] = a[item.get_group(0) * 16384 + k];
      sycl::group_barrier(item.get_group());
      b[item.get_global_id(0)] = s[16384 - 1 - lane];
    });
  });
}
