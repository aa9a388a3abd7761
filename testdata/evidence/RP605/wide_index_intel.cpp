// The kernels of wide_index_intel.cl in SYCL.
#include <sycl/sycl.hpp>

void neighbours_smell(sycl::queue& queue, float* out, const float* f, const float* g, const long* list, long n, int m) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> id) [[sycl::reqd_sub_group_size(32)]] {
    long i = id[0];
    long at[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) at[k] = list[k * n + i];
    float sum = 0;
    for (int q = 0; q < m; ++q) {
#pragma unroll
      for (int k = 0; k < 16; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
    }
    out[i] = sum;
  });
}

void neighbours_repaired(sycl::queue& queue, float* out, const float* f, const float* g, const int* list, int n, int m) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> id) [[sycl::reqd_sub_group_size(32)]] {
    int i = id[0];
    int at[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) at[k] = list[k * n + i];
    float sum = 0;
    for (int q = 0; q < m; ++q) {
#pragma unroll
      for (int k = 0; k < 16; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
    }
    out[i] = sum;
  });
}

void nearest_smell(sycl::queue& queue, float* out, const float* f, long n, long s, int m) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> id) [[sycl::reqd_sub_group_size(32)]] {
    long i = id[0];
    float best[12];
    long where[12];
#pragma unroll
    for (int k = 0; k < 12; ++k) { best[k] = f[k * n + i]; where[k] = k; }
    for (long q = 0; q < m; ++q) {
#pragma unroll
      for (int k = 0; k < 12; ++k) {
        float v = f[q * s + k * n + i];
        if (v < best[k]) { best[k] = v; where[k] = q * s; }
      }
    }
#pragma unroll
    for (int k = 0; k < 12; ++k) out[k * n + i] = f[where[k] + i] + best[k];
  });
}

void nearest_repaired(sycl::queue& queue, float* out, const float* f, int n, int s, int m) {
  queue.parallel_for(sycl::range<1>(n), [=](sycl::id<1> id) [[sycl::reqd_sub_group_size(32)]] {
    int i = id[0];
    float best[12];
    int where[12];
#pragma unroll
    for (int k = 0; k < 12; ++k) { best[k] = f[k * n + i]; where[k] = k; }
    for (int q = 0; q < m; ++q) {
#pragma unroll
      for (int k = 0; k < 12; ++k) {
        float v = f[q * s + k * n + i];
        if (v < best[k]) { best[k] = v; where[k] = q * s; }
      }
    }
#pragma unroll
    for (int k = 0; k < 12; ++k) out[k * n + i] = f[where[k] + i] + best[k];
  });
}
