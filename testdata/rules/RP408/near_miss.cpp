// What IGC makes of such a copy was not measured, and a constant index needs none.
// targets: gfx90a, pvc
#include <sycl/sycl.hpp>

struct Cell {
  float f[19];
  int flags;
};

void sample(sycl::queue& q, const Cell* cells, float* out, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    Cell cell = cells[i];
    out[i] = cell.f[3];
  });
}
