// ELLPACK sparse product with an unbounded unroll of a loop whose trip count is an argument.
// launch: block=256 dynamic_lds=0
#include <sycl/sycl.hpp>

void multiply(sycl::queue& queue, const double* value, const int* column, const double* x, double* y, double alpha,
              int width, int rows) {
  const sycl::nd_range<1> grid{sycl::range<1>((rows + 255) / 256 * 256), sycl::range<1>(256)};
  queue.parallel_for(grid, [=](sycl::nd_item<1> item) [[intel::reqd_sub_group_size(16)]] {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i >= rows) return;
    double total = 0.0;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const int at = k * rows + i;
      total += value[at] * x[column[at]];
    }
    y[i] = alpha * total + y[i];
  });
}
