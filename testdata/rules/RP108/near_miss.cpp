// The largest work-group and all of the local memory of an Xe-core.
#include <sycl/sycl.hpp>

void run(sycl::queue& q, float* p, int n) {
  q.submit([&](sycl::handler& h) {
    sycl::local_accessor<float, 1> t(sycl::range<1>(32768), h);
    h.parallel_for(sycl::nd_range<1>(n * 1024, 1024), [=](sycl::nd_item<1> it) {
      int i = it.get_local_id(0);
      t[i] = p[i];
      it.barrier();
      p[i] = t[1023 - i];
    });
  });
  const sycl::range<2> all(64, 96), group(4, 32);
  q.parallel_for(sycl::nd_range<2>(all, group),
                 [=](sycl::nd_item<2> it) { p[it.get_global_linear_id()] *= 4.0f; });
  int items = 1000;
  if (n > 1000) items = 1024;
  q.parallel_for(sycl::nd_range<1>(items, 256), [=](sycl::nd_item<1> it) { p[it.get_global_id(0)] *= 2.0f; });
  q.parallel_for(sycl::nd_range<1>((n + 255) / 256 * 256, 256),
                 [=](sycl::nd_item<1> it) { p[it.get_global_id(0)] *= 2.0f; });
  // A range has no work-groups, however it is declared.
  sycl::range<2> plane(2, 3);
  q.parallel_for(plane, [=](sycl::item<2> it) { p[it.get_linear_id()] += 1.0f; });
  sycl::range<2> other{20, 3};
  q.parallel_for(other, [=](sycl::item<2> it) { p[it.get_linear_id()] += 1.0f; });
}
