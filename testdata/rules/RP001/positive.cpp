// not for the compiler: a broken SYCL kernel.
#include <sycl/sycl.hpp>

void broken(sycl::queue& queue, float* a) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(64), sycl::range<1>(64)}, [=](sycl::nd_item<1> item) {
    a[item.get_global_id(0)] = 1.0f + ;  // expect: RP001 info "not read whole: line 6"
  });
}
