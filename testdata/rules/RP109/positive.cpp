#include <sycl/sycl.hpp>

// 72 values of a loop that no array holds.
#define EACH(DO) \
  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15) DO(16) DO(17)

void held(sycl::queue& q, const float* in, float* out, int n) {
  q.parallel_for(sycl::nd_range<1>(1 << 20, 256), [=](sycl::nd_item<1> item) {  // expect: RP109 warning @51 "spills on pvc" "a thread may have 64, so about 184 bytes per thread spill to private memory"
    int t = item.get_global_id(0);
#define BEGIN(K) float a##K = in[t + K * n], b##K = in[t + K * n + 1], c##K = a##K * b##K, d##K = a##K - b##K, e##K = in[t + K * n + 2];
    EACH(BEGIN)
    for (int k = 0; k < n; ++k) {
      float s = in[k];
#define STEP(K) a##K = a##K * s + b##K; b##K = b##K - c##K * s; c##K = c##K * s + d##K; d##K = d##K - a##K; e##K += d##K * b##K;
      EACH(STEP)
    }
#define END(K) out[t + K * n] = a##K * b##K + c##K * d##K + e##K;
    EACH(END)
  });
}
