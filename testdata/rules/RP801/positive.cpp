// Local memory of which no work-item touches another's slot, where LDS limits the waves of gfx90a.
// targets: gfx90a, sm_90, pvc
#include <sycl/sycl.hpp>

constexpr int kBlock = 256;

void columns(sycl::queue& queue, const float* a, float* b, int m, int n) {
  queue.submit([&](sycl::handler& handler) {
    sycl::local_accessor<float, 2> s(sycl::range<2>(12, kBlock), handler);
    // expect-next-line: RP801 warning "its own 12 elements of `s`" "12,288 bytes" "8 waves per SIMD fit on gfx90a instead of 5"
    handler.parallel_for(sycl::nd_range<1>(n, kBlock), [=](sycl::nd_item<1> item) {
      const int t = item.get_local_id(0), i = item.get_global_id(0);
      for (int k = 0; k < 12; ++k) s[k][t] = 0.0f;
      for (int j = 0; j < m; ++j) {
        for (int k = 0; k < 12; ++k) s[k][item.get_local_id(0)] += a[(j * 12 + k) * n + i];
      }
      for (int k = 0; k < 12; ++k) b[k * n + i] = s[k][t] * s[11 - k][t];
    });
  });
}

// Local memory of the kernel's own.
void own(sycl::queue& queue, const float* a, float* b, int m, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, kBlock), [=](sycl::nd_item<1> item) {
    // expect-next-line: RP801 warning "its own 12 elements of `s`"
    auto& s = *sycl::ext::oneapi::group_local_memory_for_overwrite<float[12][kBlock]>(item.get_group());
    const int t = item.get_local_id(0), i = item.get_global_id(0);
    for (int k = 0; k < 12; ++k) s[k][t] = 0.0f;
    for (int j = 0; j < m; ++j) {
      for (int k = 0; k < 12; ++k) s[k][t] += a[(j * 12 + k) * n + i];
    }
    for (int k = 0; k < 12; ++k) b[k * n + i] = s[k][t] * s[11 - k][t];
  });
}

// A functor that is handed local memory, and local memory at file level.
struct Columns {
  const float* a;
  float* b;
  int m, n;
  sycl::local_accessor<float, 2> s;  // expect: RP801 warning @34 "its own 12 elements of `s`"
  void operator()(sycl::nd_item<1> item) const {
    const int t = item.get_local_id(0), i = item.get_global_id(0);
    for (int k = 0; k < 12; ++k) s[k][t] = 0.0f;
    for (int j = 0; j < m; ++j) {
      for (int k = 0; k < 12; ++k) s[k][t] += a[(j * 12 + k) * n + i];
    }
    for (int k = 0; k < 12; ++k) b[k * n + i] = s[k][t] * s[11 - k][t];
  }
};

void with_functor(sycl::queue& queue, const float* a, float* b, int m, int n) {
  queue.submit([&](sycl::handler& handler) {
    sycl::local_accessor<float, 2> tile(sycl::range<2>(12, kBlock), handler);
    handler.parallel_for(sycl::nd_range<1>(n, kBlock), Columns{a, b, m, n, tile});
  });
}

// expect-next-line: RP801 warning "its own 12 elements of `whole`"
sycl::ext::oneapi::experimental::work_group_static<float[12][kBlock]> whole;

void at_file_level(sycl::queue& queue, const float* a, float* b, int m, int n) {
  queue.parallel_for(sycl::nd_range<1>(n, kBlock), [=](sycl::nd_item<1> item) {
    const int t = item.get_local_id(0), i = item.get_global_id(0);
    for (int k = 0; k < 12; ++k) whole[k][t] = 0.0f;
    for (int j = 0; j < m; ++j) {
      for (int k = 0; k < 12; ++k) whole[k][t] += a[(j * 12 + k) * n + i];
    }
    for (int k = 0; k < 12; ++k) b[k * n + i] = whole[k][t] * whole[11 - k][t];
  });
}
