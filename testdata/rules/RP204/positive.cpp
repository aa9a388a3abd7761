// The twins of positive.cu and positive.hip.
// targets: gfx90a, sm_90, pvc
#include <cassert>
#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;

void march(sycl::queue& queue, const float* a, float* b, int n, int steps) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float s[12];
    for (int j = 0; j < 12; ++j) s[j] = a[i + j * n];
    for (int k = 0; k < steps; ++k) {
      float x = a[i + k];
      for (int j = 0; j < 12; ++j) s[j] = s[j] * x + s[(j + 1) % 12];
      if (s[0] < -1.0f) syclexp::printf("cell %d, step %d: %f\n", i, k, s[0]);  // expect: RP204 warning @25 "without it the estimate is 88 -> 43 VGPRs" "45 -> 32 registers"
    }
    for (int j = 0; j < 12; ++j) b[i + j * n] = s[j];
  });
}

void checked(sycl::queue& queue, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    assert(i < n);  // expect: RP204 info @5 "65 -> 5 VGPRs and 240 -> 0 bytes"
    b[i] = a[i];
  });
}

// For each work-item of a group.
void grouped(sycl::queue& q, const float* a, float* b, int n) {
  q.submit([&](sycl::handler& h) {
    h.parallel_for_work_group(sycl::range<1>(n / 256), sycl::range<1>(256), [=](sycl::group<1> group) {
      group.parallel_for_work_item([&](sycl::h_item<1> item) {
        const int i = item.get_global_id(0);
        assert(a[i] >= 0.0f);  // expect: RP204 info @9 "`assert`"
        b[i] = 2.0f * a[i];
      });
    });
  });
}
