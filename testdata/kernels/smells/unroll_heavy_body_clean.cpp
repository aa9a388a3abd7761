// Sum of 16 damped modes, one at a time.
// launch: block=256 dynamic_lds=0
#include <sycl/sycl.hpp>

constexpr int kModes = 16;

void ring_downs(sycl::queue& queue, const double* time, const double* loss, const double* rate,
                const double* frequency, const double* phase, double* signal, double* derivative, int n) {
  const sycl::nd_range<1> grid{sycl::range<1>((n + 255) / 256 * 256), sycl::range<1>(256)};
  queue.parallel_for(grid, [=](sycl::nd_item<1> item) [[intel::reqd_sub_group_size(16)]] {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i >= n) return;
    const double t = time[i];
    const double damping = loss[i];
    double sum = 0.0;
    double slope = 0.0;
#pragma unroll 1
    for (int mode = 0; mode < kModes; ++mode) {
      const double envelope = sycl::exp(-damping * rate[mode] * t);
      const double wave = sycl::sin(frequency[mode] * t + phase[mode * n + i]);
      sum += envelope * wave;
      slope -= damping * rate[mode] * envelope * wave;
    }
    signal[i] = sum;
    derivative[i] = slope;
  });
}
