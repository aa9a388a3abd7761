// Blurs strips of 8 rows across the columns of a block, staged in 2 KiB of local memory.
// launch: block=64 dynamic_lds=2048
#include <sycl/sycl.hpp>

namespace {
constexpr int kRows = 8;
constexpr int kThreads = 64;
constexpr int kReach = 3;
}  // namespace

void blur(sycl::queue& queue, const float* image, const float* taper, float* blurred, int columns) {
  queue.submit([&](sycl::handler& handler) {
    sycl::local_accessor<float, 1> strip(sycl::range<1>(kRows * kThreads), handler);
    const sycl::nd_range<1> grid{sycl::range<1>(columns), sycl::range<1>(kThreads)};
    handler.parallel_for(grid, [=](sycl::nd_item<1> item) [[intel::reqd_sub_group_size(16)]] {
      const int lane = static_cast<int>(item.get_local_id(0));
      const int column = static_cast<int>(item.get_global_id(0));
      for (int row = 0; row < kRows; ++row) strip[row * kThreads + lane] = image[row * columns + column];
      sycl::group_barrier(item.get_group());
      for (int row = 0; row < kRows; ++row) {
        float sum = 0.0f;
        for (int shift = -kReach; shift <= kReach; ++shift) {
          const int wanted = lane + shift;
          const int from = wanted < 0 ? 0 : (wanted < kThreads ? wanted : kThreads - 1);
          sum += taper[shift + kReach] * strip[row * kThreads + from];
        }
        blurred[row * columns + column] = sum;
      }
    });
  });
}
