// Pair energies over a neighbour list, with a square and a cube taken by pow().
// launch: block=256 dynamic_lds=0
#include <sycl/sycl.hpp>

constexpr double kExponent = 3.0;

void energies(sycl::queue& queue, const double* x, const double* y, const double* z, const int* list, double* out,
              double sigma_sq, double core, double depth, int neighbours, int n) {
  const sycl::nd_range<1> grid{sycl::range<1>((n + 255) / 256 * 256), sycl::range<1>(256)};
  queue.parallel_for(grid, [=](sycl::nd_item<1> item) [[intel::reqd_sub_group_size(16)]] {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i >= n) return;
    double energy = 0.0;
    for (int k = 0; k < neighbours; ++k) {
      const int j = list[k * n + i];
      const double dx = x[j] - x[i];
      const double dy = y[j] - y[i];
      const double dz = z[j] - z[i];
      const double distance_sq = dx * dx + dy * dy + dz * dz;
      const double softened = distance_sq + core;
      const double soft_sq = sycl::pow(softened, 2.0);  // expect: RP201 @30 "pow(softened, 2.0)"
      const double ratio = sigma_sq * softened / soft_sq;
      const double repulsion = sycl::pow(ratio, kExponent);  // expect: RP201 @32 "pow(ratio,"
      energy += depth * (repulsion * repulsion - repulsion);
    }
    out[i] = energy;
  });
}
