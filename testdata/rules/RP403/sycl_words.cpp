// What decides an index, as SYCL and OpenCL C name it.
#include <sycl/sycl.hpp>

void run(sycl::queue& q, const float* a, float* o, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    float bins[64];  // expect: RP403 "of `bins[g % 64]` is not a constant: it depends on the work-item (`get_global_id`)"
    for (int i = 0; i < 64; ++i) bins[i] = a[i];
    int g = item.get_global_id(0);
    bins[g % 64] += 1.0f;
    o[g] = bins[(g + 1) % 64];
  });
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    float bins[64];  // expect: RP403 "is decided by the launch (`get_group`)"
    for (int i = 0; i < 64; ++i) bins[i] = a[item.get_global_id(0) + i * n];
    bins[item.get_group(0) % 64] += 1.0f;
    o[item.get_global_id(0)] = bins[n % 64];
  });
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    float bins[64];  // expect: RP403 "it depends on the work-item (`get_local_id`)"
    for (int i = 0; i < 64; ++i) bins[i] = a[i];
    bins[item.get_local_id(0) % 64] += 1.0f;
    o[item.get_global_id(0)] = bins[n % 64];
  });
}
