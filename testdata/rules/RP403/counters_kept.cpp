// Counters that IGC keeps in registers, sums that are no counters, and an array that is read at a run-time index only.
#include <sycl/sycl.hpp>

void narrow(sycl::queue& q, const unsigned* in, unsigned* out, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[intel::reqd_sub_group_size(16)]] {
    unsigned short bins[32];
    for (int k = 0; k < 32; k++) bins[k] = 0;
    for (int k = 0; k < 256; k++) bins[in[it.get_global_id(0) + k * n] & 31] += 1;
    for (int k = 0; k < 32; k++) out[it.get_global_id(0) * 32 + k] = bins[k];
  });
}

void window(sycl::queue& q, const float* in, float* out, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[intel::reqd_sub_group_size(16)]] {
    float a[64];  // expect: RP403
    for (int k = 0; k < 64; k++) a[k] = in[it.get_global_id(0) + k * n];
    out[it.get_global_id(0)] = a[(int)in[it.get_global_id(0)] & 63];
  });
}

void sums(sycl::queue& q, const float* in, const int* index, float* out, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) [[intel::reqd_sub_group_size(16)]] {
    float a[64];  // expect: RP403
    for (int k = 0; k < 64; k++) a[k] = 0.0f;
    for (int k = 0; k < 64; k++) a[index[it.get_global_id(0) + k * n]] += in[it.get_global_id(0) + k * n];
    for (int k = 0; k < 64; k++) out[it.get_global_id(0) * 64 + k] = a[k];
  });
}
