// Where SYCL kernels live: the array of each is found, whatever launches it.
// targets: gfx90a
#include <sycl/sycl.hpp>

namespace syclex = sycl::ext::oneapi::experimental;

// A functor of a class template.
template <typename T>
struct Scale {
  T* out;
  const T* in;
  void operator()(sycl::nd_item<1> item) const {
    int i = item.get_global_id(0);
    T hist[32] = {};  // expect: RP403 warning @7 "`hist` of 32 x float"
    for (int k = 0; k < 64; ++k) hist[(int)in[i + k] & 31] += 1;
    out[i] = hist[7];
  }
};

void functor(sycl::queue& q, float* out, const float* in, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 256), Scale<float>{out, in});
}

// A function that is a kernel by a property.
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void iota(float start, float* ptr) {
  size_t id = syclex::this_nd_item<1>().get_global_linear_id();
  float hist[32] = {};  // expect: RP403 warning @9 "`hist`"
  for (int k = 0; k < 64; ++k) hist[(int)ptr[id + k] & 31] += 1;
  ptr[id] = start + hist[3];
}

// Properties between the range and the kernel.
void properties(sycl::queue& q, float* out, const float* in, int n) {
  syclex::properties given{syclex::sub_group_size<64>};
  q.parallel_for<class With>(sycl::nd_range<1>(n, 256), given, [=](sycl::nd_item<1> item) {
    int i = item.get_global_id(0);
    float hist[32] = {};  // expect: RP403 warning @11 "`hist`"
    for (int k = 0; k < 64; ++k) hist[(int)in[i + k] & 31] += 1;
    out[i] = hist[7];
  });
}

// A reduction hands the kernel one argument more.
void reduction(sycl::queue& q, float* out, const float* in, int n) {
  q.submit([&](sycl::handler& h) {
    auto sum = sycl::reduction(out, h, sycl::plus<>());
    h.parallel_for(sycl::nd_range<1>(n, 256), sum, [=](sycl::nd_item<1> item, auto& total) {
      int i = item.get_global_id(0);
      float hist[32] = {};  // expect: RP403 warning @13 "`hist`"
      for (int k = 0; k < 64; ++k) hist[(int)in[i + k] & 31] += 1;
      total.combine(hist[2]);
    });
  });
}

// A named lambda of an unknown item, which a template makes.
template <int N>
auto make(float* out, const float* in) {
  auto body = [=](auto item) {
    int i = item.get_global_id(0);
    float hist[N] = {};  // expect: RP403 info @11 "`hist` of 64 x float"
    for (int k = 0; k < 64; ++k) hist[(int)in[i + k] & (N - 1)] += 1;
    out[i] = hist[7];
  };
  return body;
}

void factory(sycl::queue& q, float* out, const float* in, int n) {
  auto kernel = make<64>(out, in);
  q.parallel_for(sycl::nd_range<1>(n, 128), kernel);
}

// What a lambda does is to call a function.
template <typename T>
void body(T* out, const T* in, sycl::nd_item<2> item) {
  int i = item.get_global_id(1);
  T hist[32] = {};  // expect: RP403 warning @5 "`hist` of 32 x float"
  for (int k = 0; k < 64; ++k) hist[(int)in[i + k] & 31] += 1;
  out[i] = hist[7];
}

void thin(sycl::queue& q, float* out, const float* in, int n) {
  q.parallel_for(sycl::nd_range<2>({64, 256}, {1, 256}), [=](sycl::nd_item<2> item) { body(out, in, item); });
}

// Work-groups within work-groups; what is private there says so.
void hierarchical(sycl::queue& q, float* out, const float* in, int n) {
  q.submit([&](sycl::handler& h) {
    h.parallel_for_work_group(sycl::range<1>(n / 64), sycl::range<1>(64), [=](sycl::group<1> group) {
      float tile[64];
      group.parallel_for_work_item([&](sycl::h_item<1> item) {
        float hist[32] = {};  // expect: RP403 info @15 "`hist`"
        for (int k = 0; k < 64; ++k) hist[(int)in[item.get_global_id(0) + k] & 31] += 1;
        tile[item.get_local_id(0)] = hist[5];
      });
      group.parallel_for_work_item([&](sycl::h_item<1> item) {
        out[item.get_global_id(0)] = tile[63 - item.get_local_id(0)];
      });
    });
  });
}

// Explicit SIMD is laid out by hand: nothing is estimated, and RP001 says so.
void explicit_simd(sycl::queue& q, float* a) {
  q.parallel_for(sycl::range<1>(16), [=](sycl::id<1> i) SYCL_ESIMD_KERNEL {
    float hist[32] = {};
    for (int k = 0; k < 64; ++k) hist[(int)a[i + k] & 31] += 1;
    a[i] = hist[1];
  });
}
