// On Intel the estimate was never measured: information, with the sub-group size that the budget is for.
#include <sycl/sycl.hpp>

void reverse(sycl::queue& queue, const float* a, float* out, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(128)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0));
    float kept[64];  // expect: RP402 info @11 "needs 64 registers, and a thread has 64 on pvc at sub-group size 32 (assumed)"
#pragma unroll
    for (int k = 0; k < 64; ++k) kept[k] = a[k * n + i];
#pragma unroll
    for (int k = 0; k < 64; ++k) out[(63 - k) * n + i] = kept[k];
  });
}

// With 16 work-items in a sub-group a thread has twice as many.
void reverse_16(sycl::queue& queue, const float* a, float* out, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(128)}, [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    const int i = static_cast<int>(item.get_global_id(0));
    float kept[64];  // expect: RP402 info @11 "a thread has 128 on pvc at sub-group size 16"
#pragma unroll
    for (int k = 0; k < 64; ++k) kept[k] = a[k * n + i];
#pragma unroll
    for (int k = 0; k < 64; ++k) out[(63 - k) * n + i] = kept[k];
  });
}
