// A pointer to volatile memory is no private variable.
#include <sycl/sycl.hpp>

void relay(sycl::queue& queue, volatile unsigned* flag, unsigned* out, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(256)}, [=](sycl::nd_item<1> item) {
    volatile unsigned* mine = flag + item.get_global_id(0);
    out[item.get_global_id(0)] = *mine;
  });
}
