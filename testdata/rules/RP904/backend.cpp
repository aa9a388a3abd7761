// targets: gfx90a
// A size that the GPU lacks, in a source that runs on its vendor's backend.
#include <sycl/sycl.hpp>

void scale(sycl::queue& q, float* a, int n) {
  if (q.get_backend() != sycl::backend::ext_oneapi_hip) return;
  // expect-next-line: RP904 error @45 "requires sub-groups of 32, and gfx90a has 64: the launch fails"
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(32)]] {
    a[it.get_global_id(0)] *= 2.0f;
  });
}
