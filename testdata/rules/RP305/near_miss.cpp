// Numbers of the wave that the compiler may not take for one, and some that it knows.
// targets: gfx90a, pvc
#include <sycl/sycl.hpp>

// Half a wave of gfx90a.
void halves(sycl::queue& queue, const float* w, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(256)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0)), half = static_cast<int>(item.get_local_id(0)) / 32;
    float s = 0.0f;
    for (int k = 0; k < 16; ++k) s += w[half * 16 + k] * a[i + k * n];
    b[i] = s;
  });
}

// Two dimensions: the quotient of the last one is not that of the wave.
void planes(sycl::queue& queue, const float* w, const float* a, float* b, int n) {
  sycl::nd_range<2> range{sycl::range<2>(n, 128), sycl::range<2>(8, 128)};
  queue.parallel_for(range, [=](sycl::nd_item<2> item) {
    const int i = static_cast<int>(item.get_global_id(1)), wave = static_cast<int>(item.get_local_id(1)) / 64;
    float s = static_cast<float>(item.get_local_id(0));
    for (int k = 0; k < 16; ++k) s += w[wave * 16 + k] * a[i + k * n];
    b[i] = s;
  });
}

// The same for the whole group.
void groups(sycl::queue& queue, const float* w, const float* a, float* b, int n) {
  queue.parallel_for(sycl::nd_range<1>{sycl::range<1>(n), sycl::range<1>(256)}, [=](sycl::nd_item<1> item) {
    const int i = static_cast<int>(item.get_global_id(0)), group = static_cast<int>(item.get_group(0));
    float s = 0.0f;
    for (int k = 0; k < 16; ++k) s += w[group * 16 + k] * a[i + k * n];
    b[i] = s;
  });
}
