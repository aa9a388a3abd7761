// The types of captured pointers are not in view, and what IGC makes of such a copy was not measured.
// targets: gfx90a, pvc
#include <sycl/sycl.hpp>

struct Cell {
  float f[19];
  int flags;
};

void sample(sycl::queue& q, const Cell* cells, const int* dir, float* out, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    Cell cell = cells[i];
    out[i] = cell.f[dir[i]];
  });
}
