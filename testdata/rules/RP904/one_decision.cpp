// One size for the file's kernels is one decision: the first says it, and how many others there are.
#include <sycl/sycl.hpp>

#define SIZE [[sycl::reqd_sub_group_size(8)]]

void run(sycl::queue& q, float* a, int n) {
  // expect-next-line: RP904 error "(2 other kernels of the file too) requires sub-groups of 8"
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) SIZE { a[it.get_global_id(0)] *= 2.0f; });
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) SIZE { a[it.get_global_id(0)] *= 3.0f; });
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) SIZE { a[it.get_global_id(0)] *= 4.0f; });
  // expect-next-line: RP904 error "requires sub-groups of 4"
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(4)]] {
    a[it.get_global_id(0)] *= 2.0f;
  });
}
