// Small ones, those behind a pointer, and (HIP) one that is written, which is the matter of RP601.
// targets: pvc, sm_90, gfx90a
#include <sycl/sycl.hpp>

struct Small {
  float w[32];
};

struct Table {
  float w[2000];
};

struct Unknown;

void small(sycl::queue& queue, Small p, const float* a, float* b, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    b[i] = a[i] * p.w[3];
  });
}

void behind(sycl::queue& queue, const Table* p, const float* a, float* b, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    b[i] = a[i] * p->w[3];
  });
}

void pointer(sycl::queue& queue, Unknown* p, const float* a, float* b, int n) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    b[i] = a[i] * n;
  });
}
