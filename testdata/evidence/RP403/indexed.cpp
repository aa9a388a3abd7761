// The kernels of indexed.cl in SYCL.
#include <sycl/sycl.hpp>

void bins_smell(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    unsigned h[64];
    for (int k = 0; k < 64; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] % 64] += 1;
    for (int k = 0; k < 64; ++k) b[k * n + i] = h[k];
  });
}

void bins_repaired(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.submit([&](sycl::handler& cgh) {
    sycl::local_accessor<unsigned, 1> h(64 * 128, cgh);
    cgh.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
      int i = item.get_global_id(0), lid = item.get_local_id(0);
      for (int k = 0; k < 64; ++k) h[k * 128 + lid] = 0;
      for (int j = 0; j < m; ++j) h[(a[j * n + i] % 64) * 128 + lid] += 1;
      for (int k = 0; k < 64; ++k) b[k * n + i] = h[k * 128 + lid];
    });
  });
}

void bytes_smell(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    unsigned char h[32];
    for (int k = 0; k < 32; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] % 32] += 1;
    for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
  });
}

void bytes_repaired(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    unsigned short h[32];
    for (int k = 0; k < 32; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] % 32] += 1;
    for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
  });
}

void sixteen_smell(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
    int i = item.get_global_id(0);
    unsigned h[32];
    for (int k = 0; k < 32; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] % 32] += 1;
    for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
  });
}

void sixteen_repaired(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    unsigned h[32];
    for (int k = 0; k < 32; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) h[a[j * n + i] % 32] += 1;
    for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
  });
}

struct Counts {
  unsigned h[16];
  unsigned seen;
};

void member_smell(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    Counts c;
    c.seen = 0;
    for (int k = 0; k < 16; ++k) c.h[k] = 0;
    for (int j = 0; j < m; ++j) {
      c.h[a[j * n + i] % 16] += 1;
      c.seen += a[j * n + i];
    }
    for (int k = 0; k < 16; ++k) b[k * n + i] = c.h[k] + c.seen;
  });
}

void member_repaired(sycl::queue& q, const unsigned* a, unsigned* b, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 128), [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    unsigned h[16], seen = 0;
    for (int k = 0; k < 16; ++k) h[k] = 0;
    for (int j = 0; j < m; ++j) {
      h[a[j * n + i] % 16] += 1;
      seen += a[j * n + i];
    }
    for (int k = 0; k < 16; ++k) b[k * n + i] = h[k] + seen;
  });
}
