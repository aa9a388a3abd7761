// Local memory that work-items share.
// targets: gfx90a, sm_90, pvc
#include <sycl/sycl.hpp>

constexpr int kBlock = 256;

// A neighbour's slot is read.
void mirrored(sycl::queue& queue, const float* a, float* b, int n) {
  queue.submit([&](sycl::handler& handler) {
    sycl::local_accessor<float, 2> s(sycl::range<2>(12, kBlock), handler);
    handler.parallel_for(sycl::nd_range<1>(n, kBlock), [=](sycl::nd_item<1> item) {
      const int t = item.get_local_id(0), i = item.get_global_id(0);
      for (int k = 0; k < 12; ++k) s[k][t] = a[i];
      sycl::group_barrier(item.get_group());
      for (int k = 0; k < 12; ++k) b[i] += s[k][kBlock - 1 - t];
    });
  });
}

// Handed on as a pointer: who reads it is not in view.
float reduced(const float* s, int t);
void handed(sycl::queue& queue, const float* a, float* b, int n) {
  queue.submit([&](sycl::handler& handler) {
    sycl::local_accessor<float, 1> s(sycl::range<1>(12 * kBlock), handler);
    handler.parallel_for(sycl::nd_range<1>(n, kBlock), [=](sycl::nd_item<1> item) {
      const int t = item.get_local_id(0), i = item.get_global_id(0);
      for (int k = 0; k < 12; ++k) s[k * kBlock + t] = a[i];
      b[i] = reduced(s.get_multi_ptr<sycl::access::decorated::no>().get(), t);
    });
  });
}
