// Work-groups and local memory that an Xe-core does not have.
#include <sycl/sycl.hpp>

void run(sycl::queue& q, float* p, int n) {
  q.parallel_for(
      sycl::nd_range<1>(n * 2048, 2048),  // expect: RP108 error @7 "2,048 threads" "pvc takes at most 1,024"
      [=](sycl::nd_item<1> it) { p[it.get_global_id(0)] *= 2.0f; });
  q.submit([&](sycl::handler& h) {
    sycl::local_accessor<float, 1> t(sycl::range<1>(40000), h);
    h.parallel_for(
        sycl::nd_range<1>(n * 256, 256),  // expect: RP108 error @9 "160,000 bytes of LDS" "pvc gives at most 131,072"
        [=](sycl::nd_item<1> it) {
          int i = it.get_local_id(0);
          t[i] = p[i];
          it.barrier();
          p[i] = t[255 - i];
        });
  });
  q.parallel_for(
      sycl::nd_range<1>(1000, 256),  // expect: RP108 error @7 "1,000 work-items in work-groups of 256, which does not"
      [=](sycl::nd_item<1> it) { p[it.get_global_id(0)] *= 3.0f; });
  const sycl::range<2> all(64, 100), group(4, 32);
  q.parallel_for(
      sycl::nd_range<2>(all, group),  // expect: RP108 error @7 "100 work-items in work-groups of 32"
      [=](sycl::nd_item<2> it) { p[it.get_global_linear_id()] *= 4.0f; });
}
