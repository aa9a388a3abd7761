// The kernels of pow.cl in SYCL; not for the compiler of the tests, whose stub has no pown.
#include <sycl/sycl.hpp>

void held_smell(sycl::queue& q, const double* a, double* b, int stride, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(256)), [=](sycl::nd_item<1> id) {
    int i = id.get_global_id(0);
    double s0 = a[i + 0 * stride], s1 = a[i + 1 * stride], s2 = a[i + 2 * stride], s3 = a[i + 3 * stride],
           s4 = a[i + 4 * stride], s5 = a[i + 5 * stride], s6 = a[i + 6 * stride], s7 = a[i + 7 * stride],
           s8 = a[i + 8 * stride], s9 = a[i + 9 * stride], s10 = a[i + 10 * stride], s11 = a[i + 11 * stride],
           s12 = a[i + 12 * stride], s13 = a[i + 13 * stride], s14 = a[i + 14 * stride], s15 = a[i + 15 * stride];
    for (int j = 0; j < m; ++j) {
      s0 += sycl::pow(s0, 2.0); s1 += sycl::pow(s1, 2.0); s2 += sycl::pow(s2, 2.0);
      s3 += sycl::pow(s3, 2.0); s4 += sycl::pow(s4, 2.0); s5 += sycl::pow(s5, 2.0);
      s6 += sycl::pow(s6, 2.0); s7 += sycl::pow(s7, 2.0); s8 += sycl::pow(s8, 2.0);
      s9 += sycl::pow(s9, 2.0); s10 += sycl::pow(s10, 2.0); s11 += sycl::pow(s11, 2.0);
      s12 += sycl::pow(s12, 2.0); s13 += sycl::pow(s13, 2.0); s14 += sycl::pow(s14, 2.0);
      s15 += sycl::pow(s15, 2.0);
    }
    b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7
         + s8 + s9 + s10 + s11 + s12 + s13 + s14 + s15;
  });
}

void held_repaired(sycl::queue& q, const double* a, double* b, int stride, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(256)), [=](sycl::nd_item<1> id) {
    int i = id.get_global_id(0);
    double s0 = a[i + 0 * stride], s1 = a[i + 1 * stride], s2 = a[i + 2 * stride], s3 = a[i + 3 * stride],
           s4 = a[i + 4 * stride], s5 = a[i + 5 * stride], s6 = a[i + 6 * stride], s7 = a[i + 7 * stride],
           s8 = a[i + 8 * stride], s9 = a[i + 9 * stride], s10 = a[i + 10 * stride], s11 = a[i + 11 * stride],
           s12 = a[i + 12 * stride], s13 = a[i + 13 * stride], s14 = a[i + 14 * stride], s15 = a[i + 15 * stride];
    for (int j = 0; j < m; ++j) {
      s0 += s0 * s0; s1 += s1 * s1; s2 += s2 * s2;
      s3 += s3 * s3; s4 += s4 * s4; s5 += s5 * s5;
      s6 += s6 * s6; s7 += s7 * s7; s8 += s8 * s8;
      s9 += s9 * s9; s10 += s10 * s10; s11 += s11 * s11;
      s12 += s12 * s12; s13 += s13 * s13; s14 += s14 * s14;
      s15 += s15 * s15;
    }
    b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7
         + s8 + s9 + s10 + s11 + s12 + s13 + s14 + s15;
  });
}

void whole_smell(sycl::queue& q, const float* a, float* b, int stride, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(256)), [=](sycl::nd_item<1> id) {
    int i = id.get_global_id(0);
    float s0 = a[i + 0 * stride], s1 = a[i + 1 * stride], s2 = a[i + 2 * stride], s3 = a[i + 3 * stride],
          s4 = a[i + 4 * stride], s5 = a[i + 5 * stride], s6 = a[i + 6 * stride], s7 = a[i + 7 * stride],
          s8 = a[i + 8 * stride], s9 = a[i + 9 * stride], s10 = a[i + 10 * stride], s11 = a[i + 11 * stride],
          s12 = a[i + 12 * stride], s13 = a[i + 13 * stride], s14 = a[i + 14 * stride], s15 = a[i + 15 * stride],
          s16 = a[i + 16 * stride], s17 = a[i + 17 * stride], s18 = a[i + 18 * stride], s19 = a[i + 19 * stride],
          s20 = a[i + 20 * stride], s21 = a[i + 21 * stride], s22 = a[i + 22 * stride], s23 = a[i + 23 * stride];
    for (int j = 0; j < m; ++j) {
      s0 += sycl::pown(s0, 2); s1 += sycl::pown(s1, 2); s2 += sycl::pown(s2, 2);
      s3 += sycl::pown(s3, 2); s4 += sycl::pown(s4, 2); s5 += sycl::pown(s5, 2);
      s6 += sycl::pown(s6, 2); s7 += sycl::pown(s7, 2); s8 += sycl::pown(s8, 2);
      s9 += sycl::pown(s9, 2); s10 += sycl::pown(s10, 2); s11 += sycl::pown(s11, 2);
      s12 += sycl::pown(s12, 2); s13 += sycl::pown(s13, 2); s14 += sycl::pown(s14, 2);
      s15 += sycl::pown(s15, 2); s16 += sycl::pown(s16, 2); s17 += sycl::pown(s17, 2);
      s18 += sycl::pown(s18, 2); s19 += sycl::pown(s19, 2); s20 += sycl::pown(s20, 2);
      s21 += sycl::pown(s21, 2); s22 += sycl::pown(s22, 2); s23 += sycl::pown(s23, 2);
    }
    b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11
         + s12 + s13 + s14 + s15 + s16 + s17 + s18 + s19 + s20 + s21 + s22 + s23;
  });
}

void whole_repaired(sycl::queue& q, const float* a, float* b, int stride, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(sycl::range<1>(n), sycl::range<1>(256)), [=](sycl::nd_item<1> id) {
    int i = id.get_global_id(0);
    float s0 = a[i + 0 * stride], s1 = a[i + 1 * stride], s2 = a[i + 2 * stride], s3 = a[i + 3 * stride],
          s4 = a[i + 4 * stride], s5 = a[i + 5 * stride], s6 = a[i + 6 * stride], s7 = a[i + 7 * stride],
          s8 = a[i + 8 * stride], s9 = a[i + 9 * stride], s10 = a[i + 10 * stride], s11 = a[i + 11 * stride],
          s12 = a[i + 12 * stride], s13 = a[i + 13 * stride], s14 = a[i + 14 * stride], s15 = a[i + 15 * stride],
          s16 = a[i + 16 * stride], s17 = a[i + 17 * stride], s18 = a[i + 18 * stride], s19 = a[i + 19 * stride],
          s20 = a[i + 20 * stride], s21 = a[i + 21 * stride], s22 = a[i + 22 * stride], s23 = a[i + 23 * stride];
    for (int j = 0; j < m; ++j) {
      s0 += s0 * s0; s1 += s1 * s1; s2 += s2 * s2;
      s3 += s3 * s3; s4 += s4 * s4; s5 += s5 * s5;
      s6 += s6 * s6; s7 += s7 * s7; s8 += s8 * s8;
      s9 += s9 * s9; s10 += s10 * s10; s11 += s11 * s11;
      s12 += s12 * s12; s13 += s13 * s13; s14 += s14 * s14;
      s15 += s15 * s15; s16 += s16 * s16; s17 += s17 * s17;
      s18 += s18 * s18; s19 += s19 * s19; s20 += s20 * s20;
      s21 += s21 * s21; s22 += s22 * s22; s23 += s23 * s23;
    }
    b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11
         + s12 + s13 + s14 + s15 + s16 + s17 + s18 + s19 + s20 + s21 + s22 + s23;
  });
}
