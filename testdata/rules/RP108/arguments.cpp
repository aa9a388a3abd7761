// Structures by value that are large, and beyond what a toolchain takes.
// targets: pvc, sm_90, gfx90a
#include <sycl/sycl.hpp>

struct Small {
  float w[32];
};

struct Weights {
  float w[100];
};

void read(sycl::queue& queue, Weights p, const float* a, float* b, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    b[i] = a[i] * p.w[3];
  });
}

struct Table {
  float w[600];
};

void large(sycl::queue& queue, Table p, const float* a, float* b, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {  // expect: RP108 error "Intel's compiler takes 2,048 on pvc"
    b[i] = a[i] * p.w[3];
  });
}
