// The types of captured pointers are those of the function around the kernel.
// targets: gfx90a, pvc
#include <sycl/sycl.hpp>

struct Cell {
  float f[19];
  int flags;
};

void sample(sycl::queue& q, const Cell* cells, const int* dir, float* out, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    Cell cell = cells[i];  // expect: RP408 warning @10 "`cell` (Cell, 80 bytes)" "`cell.f[dir[i]]`" "private memory"
    out[i] = cell.f[dir[i]];
  });
}
