// IGC keeps such arrays in registers.
#include <sycl/sycl.hpp>

struct Particle {
  float x, y, mass;
};

void structs(sycl::queue& q, const float* a, const int* key, float* b, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    Particle p[4];
    for (int j = 0; j < 4; ++j) p[j].x = p[j].y = p[j].mass = a[j * n + i];
    b[i] = p[key[i]].mass;
  });
}
