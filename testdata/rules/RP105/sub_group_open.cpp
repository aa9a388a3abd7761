// At sub-group size 32 this fills 12 of 64 slots, at 16 it fills 24: IGC picks one of them.
#include <sycl/sycl.hpp>

void stage(sycl::queue& queue, const float* a, float* b, int n) {
  queue.submit([&](sycl::handler& handler) {
    sycl::local_accessor<float, 1> s(sycl::range<1>(8000), handler);
    // expect-next-line: RP105 info "12 of 64 wave slots" "with 96 threads per block at sub-group size 32 (assumed): limited by LDS (32,000 bytes per block)"
    handler.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(96)), [=](sycl::nd_item<1> item) {
      const int lane = static_cast<int>(item.get_local_id(0));
      for (int k = lane; k < 8000; k += 96) s[k] = a[item.get_group(0) * 8000 + k];
      sycl::group_barrier(item.get_group());
      b[item.get_global_id(0)] = s[8000 - 1 - lane];
    });
  });
}
