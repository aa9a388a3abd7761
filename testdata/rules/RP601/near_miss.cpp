// clang, which compiles SYCL for all targets, reads what a kernel captures where it is.
// targets: gfx90a, sm_90, pvc
#include <sycl/sycl.hpp>

struct Bins {
  float count[16];
};

void pick(Bins bins, const int* key, float* out, sycl::nd_item<1> item) {
  int i = item.get_global_id(0);
  out[i] = bins.count[key[i] & 15];
}

void run(sycl::queue& queue, Bins bins, const int* key, float* out, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) { pick(bins, key, out, item); });
  queue.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    out[i] = bins.count[key[i] & 15];
  });
}
