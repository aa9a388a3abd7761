// The largest that go together, and a size that the compiler may pick.
#include <sycl/sycl.hpp>

namespace oneapi = sycl::ext::oneapi::experimental;
namespace intel_gpu = sycl::ext::intel::experimental;

void fits(sycl::queue& q, float* a, int n) {
  oneapi::properties wide{oneapi::sub_group_size<16>, intel_gpu::grf_size<256>};
  q.parallel_for(sycl::nd_range<1>(n, 512), wide, [=](sycl::nd_item<1> it) { a[it.get_global_id(0)] *= 2.0f; });
}

void wide(sycl::queue& q, float* a, int n) {
  oneapi::properties all{oneapi::sub_group_size<32>, intel_gpu::grf_size<256>};
  q.parallel_for(sycl::nd_range<1>(n, 1024), all, [=](sycl::nd_item<1> it) { a[it.get_global_id(0)] *= 2.0f; });
}

void open(sycl::queue& q, float* a, int n) {
  oneapi::properties large{intel_gpu::grf_size<256>};
  q.parallel_for(sycl::nd_range<1>(n, 1024), large, [=](sycl::nd_item<1> it) { a[it.get_global_id(0)] *= 2.0f; });
  q.parallel_for(sycl::nd_range<1>(n, 1024), oneapi::properties{intel_gpu::grf_size_automatic},
                 [=](sycl::nd_item<1> it) { a[it.get_global_id(0)] *= 2.0f; });
}
