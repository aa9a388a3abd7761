// The histograms of Intel's guide: too large for a work-item; narrower, not volatile, or shared they are not.
#include <sycl/sycl.hpp>

constexpr int BLOCK = 256;

void wide(sycl::queue& q, const unsigned long* in, unsigned long* out, int n) {
  constexpr int BINS = 32;
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[intel::reqd_sub_group_size(16)]] {
    unsigned long bins[BINS];  // expect: RP403 warning @19 "32 x unsigned long (256 bytes per thread)"
    for (int k = 0; k < BINS; k++) bins[k] = 0;
    for (int k = 0; k < BLOCK; k++) {
      unsigned long x = in[it.get_global_id(0) + k * n];
#pragma unroll
      for (int i = 0; i < 8; i++) {
        bins[x & 0x1FU] += 1;
        x = x >> 8;
      }
    }
    for (int k = 0; k < BINS; k++) out[it.get_global_id(0) * BINS + k] = bins[k];
  });
}

void many(sycl::queue& q, const unsigned* in, unsigned* out, int n, int m) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[intel::reqd_sub_group_size(16)]] {
    unsigned bins[256];  // expect: RP403 warning @14
    for (int k = 0; k < 256; k++) bins[k] = 0;
    for (int k = 0; k < m; k++) bins[in[it.get_global_id(0) + k * n] & 255]++;
    for (int k = 0; k < 256; k++) out[it.get_global_id(0) * 256 + k] = bins[k];
  });
}

void more(sycl::queue& q, const unsigned* in, unsigned* out, int n, int m) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[intel::reqd_sub_group_size(16)]] {
    unsigned bins[2048];  // expect: RP403 warning @14
    for (int k = 0; k < 2048; k++) bins[k] = 0;
    for (int k = 0; k < m; k++) bins[in[it.get_global_id(0) + k * n] & 2047]++;
    for (int k = 0; k < 2048; k++) out[it.get_global_id(0) * 2048 + k] = bins[k];
  });
}
