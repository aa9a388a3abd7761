// Sub-group sizes and register modes that pvc does not have, or not together with the work-group.
#include <sycl/sycl.hpp>

namespace oneapi = sycl::ext::oneapi::experimental;
namespace intel_gpu = sycl::ext::intel::experimental;

void narrow(sycl::queue& q, float* a, int n) {
  // expect-next-line: RP904 error @44 "requires sub-groups of 8, and pvc has 16 and 32: the launch fails"
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(8)]] {
    a[it.get_global_id(0)] *= 2.0f;
  });
}

void large(sycl::queue& q, float* a, int n) {
  oneapi::properties wide{oneapi::sub_group_size<16>, intel_gpu::grf_size<256>};
  // expect-next-line: RP904 error @18 "1,024 work-items a group" "64 hardware threads" "pvc has 32 with 256 registers each"
  q.parallel_for(sycl::nd_range<1>(n, 1024), wide, [=](sycl::nd_item<1> it) { a[it.get_global_id(0)] *= 2.0f; });
}

void huge(sycl::queue& q, float* a, int n) {
  // expect-next-line: RP904 error @90 "asks for 512 registers, and pvc has modes of 128 and 256"
  q.parallel_for(sycl::nd_range<1>(n, 64), oneapi::properties{intel_gpu::grf_size<512>}, [=](sycl::nd_item<1> it) {
    a[it.get_global_id(0)] *= 2.0f;
  });
}
