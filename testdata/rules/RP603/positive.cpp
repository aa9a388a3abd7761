// targets: gfx90a
// 44 captured pointers in one loop.
#include <sycl/sycl.hpp>

void gather(sycl::queue& q, float* b, int m, int n,
            const float* a0, const float* a1, const float* a2, const float* a3, const float* a4, const float* a5, const float* a6, const float* a7, const float* a8, const float* a9, const float* a10, const float* a11, const float* a12, const float* a13, const float* a14, const float* a15, const float* a16, const float* a17, const float* a18, const float* a19, const float* a20, const float* a21, const float* a22, const float* a23, const float* a24, const float* a25, const float* a26, const float* a27, const float* a28, const float* a29, const float* a30, const float* a31, const float* a32, const float* a33, const float* a34, const float* a35, const float* a36, const float* a37, const float* a38, const float* a39, const float* a40, const float* a41, const float* a42, const float* a43) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {
    int i = it.get_global_id(0);
    float s = 0.0f;
    for (int k = 0; k < m; ++k) {  // expect: RP603 info @5 "44 pointers"
      s += a0[k * n + i];
      s += a1[k * n + i];
      s += a2[k * n + i];
      s += a3[k * n + i];
      s += a4[k * n + i];
      s += a5[k * n + i];
      s += a6[k * n + i];
      s += a7[k * n + i];
      s += a8[k * n + i];
      s += a9[k * n + i];
      s += a10[k * n + i];
      s += a11[k * n + i];
      s += a12[k * n + i];
      s += a13[k * n + i];
      s += a14[k * n + i];
      s += a15[k * n + i];
      s += a16[k * n + i];
      s += a17[k * n + i];
      s += a18[k * n + i];
      s += a19[k * n + i];
      s += a20[k * n + i];
      s += a21[k * n + i];
      s += a22[k * n + i];
      s += a23[k * n + i];
      s += a24[k * n + i];
      s += a25[k * n + i];
      s += a26[k * n + i];
      s += a27[k * n + i];
      s += a28[k * n + i];
      s += a29[k * n + i];
      s += a30[k * n + i];
      s += a31[k * n + i];
      s += a32[k * n + i];
      s += a33[k * n + i];
      s += a34[k * n + i];
      s += a35[k * n + i];
      s += a36[k * n + i];
      s += a37[k * n + i];
      s += a38[k * n + i];
      s += a39[k * n + i];
      s += a40[k * n + i];
      s += a41[k * n + i];
      s += a42[k * n + i];
      s += a43[k * n + i];
    }
    b[i] = s;
  });
}
