// Compares 16 samples with 16 others; both loops are fully unrolled, 256 copies of the body.
// launch: block=256 dynamic_lds=0
#include <sycl/sycl.hpp>

constexpr int kSamples = 16;

void compare_all(sycl::queue& queue, const double* left, const double* right, double* match, double decay, int n) {
  const sycl::nd_range<1> grid{sycl::range<1>((n + 255) / 256 * 256), sycl::range<1>(256)};
  queue.parallel_for(grid, [=](sycl::nd_item<1> item) [[intel::reqd_sub_group_size(16)]] {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i >= n) return;
    double score = 0.0;
#pragma unroll
    for (int row = 0; row < kSamples; ++row) {
#pragma unroll
      for (int column = 0; column < kSamples; ++column) {
        const double difference = left[row * n + i] - right[column * n + i];
        score = score * decay + difference * difference;
      }
    }
    match[i] = score;
  });
}
