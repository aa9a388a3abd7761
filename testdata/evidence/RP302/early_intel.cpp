// The kernels of early_intel.cl in SYCL.
#include <sycl/sycl.hpp>

// 40 floats loaded in front of branches, used behind them.
void loads_smell(sycl::queue& q, const float* w, const float* a, float* b, int m, int n, int t) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    float e0 = w[0 * n + i];
    float e1 = w[1 * n + i];
    float e2 = w[2 * n + i];
    float e3 = w[3 * n + i];
    float e4 = w[4 * n + i];
    float e5 = w[5 * n + i];
    float e6 = w[6 * n + i];
    float e7 = w[7 * n + i];
    float e8 = w[8 * n + i];
    float e9 = w[9 * n + i];
    float e10 = w[10 * n + i];
    float e11 = w[11 * n + i];
    float e12 = w[12 * n + i];
    float e13 = w[13 * n + i];
    float e14 = w[14 * n + i];
    float e15 = w[15 * n + i];
    float e16 = w[16 * n + i];
    float e17 = w[17 * n + i];
    float e18 = w[18 * n + i];
    float e19 = w[19 * n + i];
    float e20 = w[20 * n + i];
    float e21 = w[21 * n + i];
    float e22 = w[22 * n + i];
    float e23 = w[23 * n + i];
    float e24 = w[24 * n + i];
    float e25 = w[25 * n + i];
    float e26 = w[26 * n + i];
    float e27 = w[27 * n + i];
    float e28 = w[28 * n + i];
    float e29 = w[29 * n + i];
    float e30 = w[30 * n + i];
    float e31 = w[31 * n + i];
    float e32 = w[32 * n + i];
    float e33 = w[33 * n + i];
    float e34 = w[34 * n + i];
    float e35 = w[35 * n + i];
    float e36 = w[36 * n + i];
    float e37 = w[37 * n + i];
    float e38 = w[38 * n + i];
    float e39 = w[39 * n + i];
    float s[72];
    #pragma unroll
    for (int k = 0; k < 72; ++k) s[k] = a[k * n + i];
    if (t > 0) {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] * s[(k + 1) % 72] + s[(k + 3) % 72];
    } else {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] / s[(k + 2) % 72] - 0.5f;
    }
    if (t > 1) {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] * s[(k + 2) % 72] + s[(k + 3) % 72];
    } else {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] / s[(k + 3) % 72] - 1.5f;
    }
    if (t > 2) {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] * s[(k + 3) % 72] + s[(k + 3) % 72];
    } else {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] / s[(k + 4) % 72] - 2.5f;
    }
    if (t > 3) {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] * s[(k + 4) % 72] + s[(k + 3) % 72];
    } else {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] / s[(k + 5) % 72] - 3.5f;
    }
    float r = 0.0f;
    for (int k = 0; k < 72; ++k) r += s[k];
    r += e0 * r;
    r += e1 * r;
    r += e2 * r;
    r += e3 * r;
    r += e4 * r;
    r += e5 * r;
    r += e6 * r;
    r += e7 * r;
    r += e8 * r;
    r += e9 * r;
    r += e10 * r;
    r += e11 * r;
    r += e12 * r;
    r += e13 * r;
    r += e14 * r;
    r += e15 * r;
    r += e16 * r;
    r += e17 * r;
    r += e18 * r;
    r += e19 * r;
    r += e20 * r;
    r += e21 * r;
    r += e22 * r;
    r += e23 * r;
    r += e24 * r;
    r += e25 * r;
    r += e26 * r;
    r += e27 * r;
    r += e28 * r;
    r += e29 * r;
    r += e30 * r;
    r += e31 * r;
    r += e32 * r;
    r += e33 * r;
    r += e34 * r;
    r += e35 * r;
    r += e36 * r;
    r += e37 * r;
    r += e38 * r;
    r += e39 * r;
    b[i] = r;
  });
}

void loads_repaired(sycl::queue& q, const float* w, const float* a, float* b, int m, int n, int t) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    float s[72];
    #pragma unroll
    for (int k = 0; k < 72; ++k) s[k] = a[k * n + i];
    if (t > 0) {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] * s[(k + 1) % 72] + s[(k + 3) % 72];
    } else {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] / s[(k + 2) % 72] - 0.5f;
    }
    if (t > 1) {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] * s[(k + 2) % 72] + s[(k + 3) % 72];
    } else {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] / s[(k + 3) % 72] - 1.5f;
    }
    if (t > 2) {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] * s[(k + 3) % 72] + s[(k + 3) % 72];
    } else {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] / s[(k + 4) % 72] - 2.5f;
    }
    if (t > 3) {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] * s[(k + 4) % 72] + s[(k + 3) % 72];
    } else {
      #pragma unroll
      for (int k = 0; k < 72; ++k) s[k] = s[k] / s[(k + 5) % 72] - 3.5f;
    }
    float e0 = w[0 * n + i];
    float e1 = w[1 * n + i];
    float e2 = w[2 * n + i];
    float e3 = w[3 * n + i];
    float e4 = w[4 * n + i];
    float e5 = w[5 * n + i];
    float e6 = w[6 * n + i];
    float e7 = w[7 * n + i];
    float e8 = w[8 * n + i];
    float e9 = w[9 * n + i];
    float e10 = w[10 * n + i];
    float e11 = w[11 * n + i];
    float e12 = w[12 * n + i];
    float e13 = w[13 * n + i];
    float e14 = w[14 * n + i];
    float e15 = w[15 * n + i];
    float e16 = w[16 * n + i];
    float e17 = w[17 * n + i];
    float e18 = w[18 * n + i];
    float e19 = w[19 * n + i];
    float e20 = w[20 * n + i];
    float e21 = w[21 * n + i];
    float e22 = w[22 * n + i];
    float e23 = w[23 * n + i];
    float e24 = w[24 * n + i];
    float e25 = w[25 * n + i];
    float e26 = w[26 * n + i];
    float e27 = w[27 * n + i];
    float e28 = w[28 * n + i];
    float e29 = w[29 * n + i];
    float e30 = w[30 * n + i];
    float e31 = w[31 * n + i];
    float e32 = w[32 * n + i];
    float e33 = w[33 * n + i];
    float e34 = w[34 * n + i];
    float e35 = w[35 * n + i];
    float e36 = w[36 * n + i];
    float e37 = w[37 * n + i];
    float e38 = w[38 * n + i];
    float e39 = w[39 * n + i];
    float r = 0.0f;
    for (int k = 0; k < 72; ++k) r += s[k];
    r += e0 * r;
    r += e1 * r;
    r += e2 * r;
    r += e3 * r;
    r += e4 * r;
    r += e5 * r;
    r += e6 * r;
    r += e7 * r;
    r += e8 * r;
    r += e9 * r;
    r += e10 * r;
    r += e11 * r;
    r += e12 * r;
    r += e13 * r;
    r += e14 * r;
    r += e15 * r;
    r += e16 * r;
    r += e17 * r;
    r += e18 * r;
    r += e19 * r;
    r += e20 * r;
    r += e21 * r;
    r += e22 * r;
    r += e23 * r;
    r += e24 * r;
    r += e25 * r;
    r += e26 * r;
    r += e27 * r;
    r += e28 * r;
    r += e29 * r;
    r += e30 * r;
    r += e31 * r;
    r += e32 * r;
    r += e33 * r;
    r += e34 * r;
    r += e35 * r;
    r += e36 * r;
    r += e37 * r;
    r += e38 * r;
    r += e39 * r;
    b[i] = r;
  });
}

// Arithmetic in front of a loop.
void arithmetic_smell(sycl::queue& q, const float* w, const float* a, float* b, int m, int n, int t) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    float u0 = w[0 * n + i], u1 = w[1 * n + i], u2 = w[2 * n + i], u3 = w[3 * n + i];
    float e0 = u0 * u1 + 0.5f;
    float e1 = u1 * u2 + 1.5f;
    float e2 = u2 * u3 + 2.5f;
    float e3 = u3 * u0 + 3.5f;
    float e4 = u0 * u1 + 4.5f;
    float e5 = u1 * u2 + 5.5f;
    float e6 = u2 * u3 + 6.5f;
    float e7 = u3 * u0 + 7.5f;
    float e8 = u0 * u1 + 8.5f;
    float e9 = u1 * u2 + 9.5f;
    float e10 = u2 * u3 + 10.5f;
    float e11 = u3 * u0 + 11.5f;
    float e12 = u0 * u1 + 12.5f;
    float e13 = u1 * u2 + 13.5f;
    float e14 = u2 * u3 + 14.5f;
    float e15 = u3 * u0 + 15.5f;
    float e16 = u0 * u1 + 16.5f;
    float e17 = u1 * u2 + 17.5f;
    float e18 = u2 * u3 + 18.5f;
    float e19 = u3 * u0 + 19.5f;
    float e20 = u0 * u1 + 20.5f;
    float e21 = u1 * u2 + 21.5f;
    float e22 = u2 * u3 + 22.5f;
    float e23 = u3 * u0 + 23.5f;
    float e24 = u0 * u1 + 24.5f;
    float e25 = u1 * u2 + 25.5f;
    float e26 = u2 * u3 + 26.5f;
    float e27 = u3 * u0 + 27.5f;
    float e28 = u0 * u1 + 28.5f;
    float e29 = u1 * u2 + 29.5f;
    float e30 = u2 * u3 + 30.5f;
    float e31 = u3 * u0 + 31.5f;
    float s[88];
    for (int k = 0; k < 88; ++k) s[k] = 0.0f;
    for (int j = 0; j < m; ++j) {
      float x = a[j * n + i];
      for (int k = 0; k < 88; ++k) s[k] = s[k] * x + s[(k + 1) % 88];
    }
    float r = 0.0f + u0 + u1 + u2 + u3;
    for (int k = 0; k < 88; ++k) r += s[k];
    r += e0 * r;
    r += e1 * r;
    r += e2 * r;
    r += e3 * r;
    r += e4 * r;
    r += e5 * r;
    r += e6 * r;
    r += e7 * r;
    r += e8 * r;
    r += e9 * r;
    r += e10 * r;
    r += e11 * r;
    r += e12 * r;
    r += e13 * r;
    r += e14 * r;
    r += e15 * r;
    r += e16 * r;
    r += e17 * r;
    r += e18 * r;
    r += e19 * r;
    r += e20 * r;
    r += e21 * r;
    r += e22 * r;
    r += e23 * r;
    r += e24 * r;
    r += e25 * r;
    r += e26 * r;
    r += e27 * r;
    r += e28 * r;
    r += e29 * r;
    r += e30 * r;
    r += e31 * r;
    b[i] = r;
  });
}

void arithmetic_repaired(sycl::queue& q, const float* w, const float* a, float* b, int m, int n, int t) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    float u0 = w[0 * n + i], u1 = w[1 * n + i], u2 = w[2 * n + i], u3 = w[3 * n + i];
    float s[88];
    for (int k = 0; k < 88; ++k) s[k] = 0.0f;
    for (int j = 0; j < m; ++j) {
      float x = a[j * n + i];
      for (int k = 0; k < 88; ++k) s[k] = s[k] * x + s[(k + 1) % 88];
    }
    float e0 = u0 * u1 + 0.5f;
    float e1 = u1 * u2 + 1.5f;
    float e2 = u2 * u3 + 2.5f;
    float e3 = u3 * u0 + 3.5f;
    float e4 = u0 * u1 + 4.5f;
    float e5 = u1 * u2 + 5.5f;
    float e6 = u2 * u3 + 6.5f;
    float e7 = u3 * u0 + 7.5f;
    float e8 = u0 * u1 + 8.5f;
    float e9 = u1 * u2 + 9.5f;
    float e10 = u2 * u3 + 10.5f;
    float e11 = u3 * u0 + 11.5f;
    float e12 = u0 * u1 + 12.5f;
    float e13 = u1 * u2 + 13.5f;
    float e14 = u2 * u3 + 14.5f;
    float e15 = u3 * u0 + 15.5f;
    float e16 = u0 * u1 + 16.5f;
    float e17 = u1 * u2 + 17.5f;
    float e18 = u2 * u3 + 18.5f;
    float e19 = u3 * u0 + 19.5f;
    float e20 = u0 * u1 + 20.5f;
    float e21 = u1 * u2 + 21.5f;
    float e22 = u2 * u3 + 22.5f;
    float e23 = u3 * u0 + 23.5f;
    float e24 = u0 * u1 + 24.5f;
    float e25 = u1 * u2 + 25.5f;
    float e26 = u2 * u3 + 26.5f;
    float e27 = u3 * u0 + 27.5f;
    float e28 = u0 * u1 + 28.5f;
    float e29 = u1 * u2 + 29.5f;
    float e30 = u2 * u3 + 30.5f;
    float e31 = u3 * u0 + 31.5f;
    float r = 0.0f + u0 + u1 + u2 + u3;
    for (int k = 0; k < 88; ++k) r += s[k];
    r += e0 * r;
    r += e1 * r;
    r += e2 * r;
    r += e3 * r;
    r += e4 * r;
    r += e5 * r;
    r += e6 * r;
    r += e7 * r;
    r += e8 * r;
    r += e9 * r;
    r += e10 * r;
    r += e11 * r;
    r += e12 * r;
    r += e13 * r;
    r += e14 * r;
    r += e15 * r;
    r += e16 * r;
    r += e17 * r;
    r += e18 * r;
    r += e19 * r;
    r += e20 * r;
    r += e21 * r;
    r += e22 * r;
    r += e23 * r;
    r += e24 * r;
    r += e25 * r;
    r += e26 * r;
    r += e27 * r;
    r += e28 * r;
    r += e29 * r;
    r += e30 * r;
    r += e31 * r;
    b[i] = r;
  });
}
