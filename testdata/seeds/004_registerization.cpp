// The kernels of 004_registerization.cl in SYCL.
#include <sycl/sycl.hpp>

void types_smell(sycl::queue& q, const unsigned long* a, unsigned long* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    unsigned long h[32];
    for (int k = 0; k < 32; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1;
    for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
  });
}

void types_repaired(sycl::queue& q, const unsigned long* a, unsigned long* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    unsigned short h[32];
    for (int k = 0; k < 32; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1;
    for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
  });
}

void types_int_smell(sycl::queue& q, const unsigned long* a, unsigned long* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    unsigned long h[32];
    for (int k = 0; k < 32; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1;
    for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
  });
}

void types_int_repaired(sycl::queue& q, const unsigned long* a, unsigned long* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    unsigned h[32];
    for (int k = 0; k < 32; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1;
    for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
  });
}

void volatile_smell(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    volatile unsigned short h[16];
    for (int k = 0; k < 16; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 15] += 1;
    for (int k = 0; k < 16; ++k) b[k * n + i] = h[k];
  });
}

void volatile_repaired(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    unsigned short h[16];
    for (int k = 0; k < 16; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 15] += 1;
    for (int k = 0; k < 16; ++k) b[k * n + i] = h[k];
  });
}

void shared_bins_smell(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    unsigned h[256];
    for (int k = 0; k < 256; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 255] += 1;
    for (int k = 0; k < 256; ++k) b[k * n + i] = h[k];
  });
}

void shared_bins_repaired(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    unsigned h[16];
    for (int k = 0; k < 16; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) {
      unsigned x = a[j * n + i];
      for (int l = 0; l < 16; ++l) {
        unsigned c = sycl::group_broadcast(item.get_sub_group(), x, l) & 255;
        if (item.get_sub_group().get_local_id()[0] == (c & 15)) h[c >> 4] += 1;
      }
    }
    for (int k = 0; k < 16; ++k) b[k * n + i] = h[k];
  });
}

void local_bins_smell(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    unsigned h[64];
    for (int k = 0; k < 64; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] & 63] += 1;
    for (int k = 0; k < 64; ++k) b[k * n + i] = h[k];
  });
}

void local_bins_repaired(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.submit([&](sycl::handler& cgh) {
    sycl::local_accessor<unsigned, 1> h(64 * 64, cgh);
    cgh.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
      int i = item.get_global_id(0), l = item.get_local_id(0);
      for (int k = 0; k < 64; ++k) h[k * 64 + l] = 0;
      for (int j = 0; j < m; ++j) h[(a[j * n + i] & 63) * 64 + l] += 1;
      for (int k = 0; k < 64; ++k) b[k * n + i] = h[k * 64 + l];
    });
  });
}

void structs_smell(sycl::queue& q, const sycl::float4* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    sycl::float4 v[8];
    for (int k = 0; k < 8; ++k) v[k] = a[k * n + i];
    float s = 0.0f;
    for (int k = 0; k < 8; ++k) s = s * v[k].x() + v[7 - k].y() * v[k].z() - v[k].w();
    b[i] = s;
  });
}

void structs_repaired(sycl::queue& q, const sycl::float4* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    float x[8], y[8], z[8], w[8];
    for (int k = 0; k < 8; ++k) {
      sycl::float4 v = a[k * n + i];
      x[k] = v.x();
      y[k] = v.y();
      z[k] = v.z();
      w[k] = v.w();
    }
    float s = 0.0f;
    for (int k = 0; k < 8; ++k) s = s * x[k] + y[7 - k] * z[k] - w[k];
    b[i] = s;
  });
}

void unrolling_smell(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    float s = 0.0f;
#pragma unroll 64
    for (int k = 0; k < 64; ++k) s = s * a[k * n + i] + a[(63 - k) * n + i];
    b[i] = s;
  });
}

void unrolling_repaired(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    float s = 0.0f;
#pragma unroll 1
    for (int k = 0; k < 64; ++k) s = s * a[k * n + i] + a[(63 - k) * n + i];
    b[i] = s;
  });
}

void recompute_smell(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    float x = a[i], p = x * 3.0f + 1.0f, q = x * 5.0f - 2.0f;
    float s = p * q;
    for (int j = 0; j < m; ++j) s = s * x + a[j * n + i];
    b[i] = s * p - q;
  });
}

void recompute_repaired(sycl::queue& q, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    float x = a[i];
    float s = (x * 3.0f + 1.0f) * (x * 5.0f - 2.0f);
    for (int j = 0; j < m; ++j) s = s * x + a[j * n + i];
    b[i] = s * (x * 3.0f + 1.0f) - (x * 5.0f - 2.0f);
  });
}

void loops_smell(sycl::queue& q, const float* a, const float* c, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    float s[48], t[48];
#pragma unroll 48
    for (int k = 0; k < 48; ++k) s[k] = t[k] = 0.0f;
    for (int j = 0; j < m; ++j) {
      float x = a[j * n + i], y = c[j * n + i];
#pragma unroll 48
      for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
#pragma unroll 48
      for (int k = 0; k < 48; ++k) t[k] = t[k] * y + t[(k + 1) % 48];
    }
    float r = 0.0f, u = 0.0f;
#pragma unroll 48
    for (int k = 0; k < 48; ++k) r += s[k];
    b[i] = r;
#pragma unroll 48
    for (int k = 0; k < 48; ++k) u += t[k];
    b[n + i] = u;
  });
}

void loops_repaired(sycl::queue& q, const float* a, const float* c, float* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    float s[48];
#pragma unroll 48
    for (int k = 0; k < 48; ++k) s[k] = 0.0f;
    for (int j = 0; j < m; ++j) {
      float x = a[j * n + i];
#pragma unroll 48
      for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
    }
    float r = 0.0f;
#pragma unroll 48
    for (int k = 0; k < 48; ++k) r += s[k];
    b[i] = r;
    float t[48];
#pragma unroll 48
    for (int k = 0; k < 48; ++k) t[k] = 0.0f;
    for (int j = 0; j < m; ++j) {
      float y = c[j * n + i];
#pragma unroll 48
      for (int k = 0; k < 48; ++k) t[k] = t[k] * y + t[(k + 1) % 48];
    }
    float u = 0.0f;
#pragma unroll 48
    for (int k = 0; k < 48; ++k) u += t[k];
    b[n + i] = u;
  });
}

void block_loads_smell(sycl::queue& q, const unsigned* a, unsigned* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    b[i] = a[i];
  });
}

void block_loads_repaired(sycl::queue& q, unsigned* a, unsigned* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    auto sg = item.get_sub_group();
    int i = item.get_global_id(0) - sg.get_local_id()[0];
    using pointer = sycl::multi_ptr<unsigned, sycl::access::address_space::global_space>;
    sg.store(pointer(b + i), sg.load(pointer(a + i)));
  });
}

void lane_blocks_smell(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
#pragma unroll
    for (int k = 0; k < 16; ++k) b[i * 16 + k] = a[i * 16 + k] * 2.0f;
  });
}

void lane_blocks_repaired(sycl::queue& q, float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    auto sg = item.get_sub_group();
    int i = (item.get_global_id(0) - sg.get_local_id()[0]) * 16;
    using pointer = sycl::multi_ptr<float, sycl::access::address_space::global_space>;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float x = sg.load(pointer(a + i + 16 * k));
      sg.store(pointer(b + i + 16 * k), x * 2.0f);
    }
  });
}

void pointers_smell(sycl::queue& q, sycl::buffer<float>& x, sycl::buffer<float>& y, int n) {
  q.submit([&](sycl::handler& cgh) {
    sycl::accessor a(x, cgh, sycl::read_only);
    sycl::accessor b(y, cgh, sycl::write_only);
    cgh.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
      int i = item.get_global_id(0);
      b[i] = a[i] * 2.0f;
    });
  });
}

void pointers_repaired(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    b[i] = a[i] * 2.0f;
  });
}

void entries_smell(sycl::queue& q, const int* a, int* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0), top = 0;
    long entry[20];
    for (int j = 0; j < m; ++j) {
      int x = a[j * n + i];
      if (x > 0 && top < 20) {
        entry[top++] = x;
      } else if (top > 0) {
        b[j * n + i] = entry[--top];
      }
    }
  });
}

void entries_repaired(sycl::queue& q, const int* a, int* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0), top = 0;
    int entry[20];
    for (int j = 0; j < m; ++j) {
      int x = a[j * n + i];
      if (x > 0 && top < 20) {
        entry[top++] = x;
      } else if (top > 0) {
        b[j * n + i] = entry[--top];
      }
    }
  });
}

void accessors_smell(sycl::queue& q, sycl::buffer<float, 3> x, sycl::buffer<float, 3> y, int n) {
  q.submit([&](sycl::handler& cgh) {
    sycl::accessor a(x, cgh, sycl::read_only);
    sycl::accessor b(y, cgh, sycl::write_only);
    cgh.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
      int i = item.get_global_id(0);
      b[i][1][1] = a[i][1][1] * 2.0f;
    });
  });
}

void accessors_repaired(sycl::queue& q, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    b[i] = a[i] * 2.0f;
  });
}

void recompute_many_smell(sycl::queue& q, const float* w, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  float e3 = u1 * 3.5f + u0;
  float e4 = u0 * 4.5f + u1;
  float e5 = u1 * 5.5f + u0;
  float e6 = u0 * 6.5f + u1;
  float e7 = u1 * 7.5f + u0;
  float e8 = u0 * 8.5f + u1;
  float e9 = u1 * 9.5f + u0;
  float e10 = u0 * 10.5f + u1;
  float e11 = u1 * 11.5f + u0;
  float e12 = u0 * 12.5f + u1;
  float e13 = u1 * 13.5f + u0;
  float e14 = u0 * 14.5f + u1;
  float e15 = u1 * 15.5f + u0;
  float e16 = u0 * 16.5f + u1;
  float e17 = u1 * 17.5f + u0;
  float e18 = u0 * 18.5f + u1;
  float e19 = u1 * 19.5f + u0;
  float e20 = u0 * 20.5f + u1;
  float e21 = u1 * 21.5f + u0;
  float e22 = u0 * 22.5f + u1;
  float e23 = u1 * 23.5f + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  b[12 * n + i] = e12;
  b[13 * n + i] = e13;
  b[14 * n + i] = e14;
  b[15 * n + i] = e15;
  b[16 * n + i] = e16;
  b[17 * n + i] = e17;
  b[18 * n + i] = e18;
  b[19 * n + i] = e19;
  b[20 * n + i] = e20;
  b[21 * n + i] = e21;
  b[22 * n + i] = e22;
  b[23 * n + i] = e23;
  float s[80];
  for (int k = 0; k < 80; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 80; ++k) s[k] = s[k] * x + s[(k + 1) % 80];
  }
  float t = u0 + u1;
  t += e0 * s[0];
  t += e1 * s[1];
  t += e2 * s[2];
  t += e3 * s[3];
  t += e4 * s[4];
  t += e5 * s[5];
  t += e6 * s[6];
  t += e7 * s[7];
  t += e8 * s[8];
  t += e9 * s[9];
  t += e10 * s[10];
  t += e11 * s[11];
  t += e12 * s[12];
  t += e13 * s[13];
  t += e14 * s[14];
  t += e15 * s[15];
  t += e16 * s[16];
  t += e17 * s[17];
  t += e18 * s[18];
  t += e19 * s[19];
  t += e20 * s[20];
  t += e21 * s[21];
  t += e22 * s[22];
  t += e23 * s[23];
  for (int k = 24; k < 80; ++k) t += s[k];
  b[i] = t;
  });
}

void recompute_many_repaired(sycl::queue& q, const float* w, const float* a, float* b, int m, int n) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  float e3 = u1 * 3.5f + u0;
  float e4 = u0 * 4.5f + u1;
  float e5 = u1 * 5.5f + u0;
  float e6 = u0 * 6.5f + u1;
  float e7 = u1 * 7.5f + u0;
  float e8 = u0 * 8.5f + u1;
  float e9 = u1 * 9.5f + u0;
  float e10 = u0 * 10.5f + u1;
  float e11 = u1 * 11.5f + u0;
  float e12 = u0 * 12.5f + u1;
  float e13 = u1 * 13.5f + u0;
  float e14 = u0 * 14.5f + u1;
  float e15 = u1 * 15.5f + u0;
  float e16 = u0 * 16.5f + u1;
  float e17 = u1 * 17.5f + u0;
  float e18 = u0 * 18.5f + u1;
  float e19 = u1 * 19.5f + u0;
  float e20 = u0 * 20.5f + u1;
  float e21 = u1 * 21.5f + u0;
  float e22 = u0 * 22.5f + u1;
  float e23 = u1 * 23.5f + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  b[12 * n + i] = e12;
  b[13 * n + i] = e13;
  b[14 * n + i] = e14;
  b[15 * n + i] = e15;
  b[16 * n + i] = e16;
  b[17 * n + i] = e17;
  b[18 * n + i] = e18;
  b[19 * n + i] = e19;
  b[20 * n + i] = e20;
  b[21 * n + i] = e21;
  b[22 * n + i] = e22;
  b[23 * n + i] = e23;
  float s[80];
  for (int k = 0; k < 80; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 80; ++k) s[k] = s[k] * x + s[(k + 1) % 80];
  }
  float r0 = u0 * 0.5f + u1;
  float r1 = u1 * 1.5f + u0;
  float r2 = u0 * 2.5f + u1;
  float r3 = u1 * 3.5f + u0;
  float r4 = u0 * 4.5f + u1;
  float r5 = u1 * 5.5f + u0;
  float r6 = u0 * 6.5f + u1;
  float r7 = u1 * 7.5f + u0;
  float r8 = u0 * 8.5f + u1;
  float r9 = u1 * 9.5f + u0;
  float r10 = u0 * 10.5f + u1;
  float r11 = u1 * 11.5f + u0;
  float r12 = u0 * 12.5f + u1;
  float r13 = u1 * 13.5f + u0;
  float r14 = u0 * 14.5f + u1;
  float r15 = u1 * 15.5f + u0;
  float r16 = u0 * 16.5f + u1;
  float r17 = u1 * 17.5f + u0;
  float r18 = u0 * 18.5f + u1;
  float r19 = u1 * 19.5f + u0;
  float r20 = u0 * 20.5f + u1;
  float r21 = u1 * 21.5f + u0;
  float r22 = u0 * 22.5f + u1;
  float r23 = u1 * 23.5f + u0;
  float t = u0 + u1;
  t += r0 * s[0];
  t += r1 * s[1];
  t += r2 * s[2];
  t += r3 * s[3];
  t += r4 * s[4];
  t += r5 * s[5];
  t += r6 * s[6];
  t += r7 * s[7];
  t += r8 * s[8];
  t += r9 * s[9];
  t += r10 * s[10];
  t += r11 * s[11];
  t += r12 * s[12];
  t += r13 * s[13];
  t += r14 * s[14];
  t += r15 * s[15];
  t += r16 * s[16];
  t += r17 * s[17];
  t += r18 * s[18];
  t += r19 * s[19];
  t += r20 * s[20];
  t += r21 * s[21];
  t += r22 * s[22];
  t += r23 * s[23];
  for (int k = 24; k < 80; ++k) t += s[k];
  b[i] = t;
  });
}
