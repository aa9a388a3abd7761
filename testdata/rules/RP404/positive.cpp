// targets: gfx90a, sm_90
// SYCL is compiled by clang: only a table that is filled by assignments costs memory, on AMD and NVIDIA.
#include <sycl/sycl.hpp>

void lookup(sycl::queue& q, const int* a, float* b, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
    float w[24];  // expect: RP404 warning @11 "a copy of its own" "scratch"
    w[0] = 0.1f; w[1] = 0.15f; w[2] = 0.2f; w[3] = 0.25f; w[4] = 0.3f; w[5] = 0.35f;
    w[6] = 0.4f; w[7] = 0.45f; w[8] = 0.5f; w[9] = 0.55f; w[10] = 0.6f; w[11] = 0.65f;
    w[12] = 0.7f; w[13] = 0.75f; w[14] = 0.8f; w[15] = 0.85f; w[16] = 0.9f; w[17] = 0.95f;
    w[18] = 1.0f; w[19] = 1.05f; w[20] = 1.1f; w[21] = 1.15f; w[22] = 1.2f; w[23] = 1.25f;
    b[i] = w[a[i]];
  });
}
