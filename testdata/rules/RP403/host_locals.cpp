// Extents that are constants of the function around the kernel: locals of it, of the command group, its template's.
#include <sycl/sycl.hpp>

struct Other {
  static constexpr int BINS = 4;
};

void histogram(sycl::queue& q, const unsigned long* in, unsigned long* out, int n) {
  constexpr int BLOCK_SIZE = 256;
  constexpr int BINS = 32;
  q.submit([&](auto& h) {
    h.parallel_for(sycl::nd_range(sycl::range{n / BLOCK_SIZE}, sycl::range{64}),
                   [=](sycl::nd_item<1> it) [[intel::reqd_sub_group_size(16)]] {
                     unsigned long bins[BINS];  // expect: RP403 warning @36 "32 x unsigned long (256 bytes"
                     for (int k = 0; k < BINS; k++) bins[k] = 0;
                     for (int k = 0; k < BLOCK_SIZE; k++) bins[in[it.get_global_id(0) + k * n] & 0x1FU] += 1;
                     for (int k = 0; k < BINS; k++) out[k] = bins[k];
                   });
  });
}

template <int WIDTH>
void window(sycl::queue& q, const float* in, float* out, int n) {
  q.submit([&](sycl::handler& h) {
    const int wide = 4 * WIDTH;
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) {
      int i = it.get_global_id(0);
      float a[wide];  // expect: RP403 warning @13 "64 x float (256 bytes"
      for (int k = 0; k < wide; ++k) a[k] = in[k * n + i];
      out[i] = a[(int)in[i] & 31];
    });
  });
}

void run(sycl::queue& q, const float* in, float* out, int n) { window<16>(q, in, out, n); }

// What is captured is no constant, and a local of the kernel hides that of the host.
void captured(sycl::queue& q, const float* in, float* out, int n) {
  int last = 4;
  const int size = 512;
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> it) {
    constexpr int size = 8;
    float a[size];
    for (int k = 0; k < size; ++k) a[k] = in[k * n + it.get_global_id(0)];
    out[it.get_global_id(0)] = a[last & 7];
  });
}
