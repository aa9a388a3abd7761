// Stacks the spectra of many frames; the private accumulators are ordinary variables.
// launch: block=256 dynamic_lds=0
#include <sycl/sycl.hpp>

constexpr int kBands = 8;

void stack(sycl::queue& queue, const float* spectra, const float* exposure, float* stacked, float* brightness,
           int frames, int pixels) {
  const sycl::nd_range<1> grid{sycl::range<1>((pixels + 255) / 256 * 256), sycl::range<1>(256)};
  queue.parallel_for(grid, [=](sycl::nd_item<1> item) [[intel::reqd_sub_group_size(16)]] {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i >= pixels) return;
    float band[kBands];
    float energy = 0.0f;
    for (int j = 0; j < kBands; ++j) band[j] = 0.0f;
    for (int k = 0; k < frames; ++k) {
      const float gain = exposure[k * pixels + i];
      for (int j = 0; j < kBands; ++j) band[j] = band[j] + gain * spectra[(k * kBands + j) * pixels + i];
      energy = energy + gain * gain;
    }
    float total = 0.0f;
    for (int j = 0; j < kBands; ++j) {
      const float value = band[j];
      total += value * value;
      stacked[j * pixels + i] = value;
    }
    brightness[i] = total / energy;
  });
}
