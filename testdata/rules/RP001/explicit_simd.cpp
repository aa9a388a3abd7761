// ESIMD: registers are laid out by hand. Other rules are silent about it.
#include <sycl/sycl.hpp>
#include <sycl/ext/intel/esimd.hpp>

void twice(sycl::queue& q, float* out, const float* in, int n) {
  using namespace sycl::ext::intel::esimd;
  // expect-next-line: RP001 info @42 "explicit SIMD (ESIMD)" "not estimated"
  q.parallel_for(sycl::range<1>(n / 16), [=](sycl::id<1> i) SYCL_ESIMD_KERNEL {
    simd<float, 16> a = block_load<float, 16>(in + i * 16);
    block_store(out + i * 16, a * 2.0f);
  });
  // expect-next-line: RP001 info @42 "explicit SIMD (ESIMD)"
  q.parallel_for(sycl::range<1>(n / 16), [=](sycl::id<1> i) [[intel::sycl_explicit_simd]] {
    float table[256];
    for (int k = 0; k < 256; ++k) table[k] = in[k];
    out[i] = table[(int)in[i] & 255];
  });
}
