// Captured pointers: no `__restrict__`, but an attribute of the kernel.
// targets: gfx90a, pvc
#include <sycl/sycl.hpp>

void cell(sycl::queue& q, const float* w, const float* a, float* b, int steps, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {
    int i = it.get_global_id(0);
    float h[3] = {0.0f, 0.0f, 0.0f}, c[3] = {0.0f, 0.0f, 0.0f};
    for (int t = 0; t < steps; ++t) {
      float x = a[t * n + i], g[4][3];
      for (int r = 0; r < 4; ++r) {
        for (int k = 0; k < 3; ++k) {
          float s = w[36 + r * 3 + k] * x + w[48 + r * 3 + k];  // expect: RP604 @21 "`w[36 + r * 3 + k]`" "240 bytes"
          for (int j = 0; j < 3; ++j) s += w[(r * 3 + k) * 3 + j] * h[j];
          g[r][k] = r == 3 ? sycl::tanh(s) : 1.0f / (1.0f + sycl::exp(-s));
        }
      }
      for (int k = 0; k < 3; ++k) {
        c[k] = c[k] * g[1][k] + g[3][k] * g[0][k];
        h[k] = sycl::tanh(c[k]) * g[2][k];
      }
      b[t * n + i] = h[0] + h[1] + h[2];
    }
  });
}

// Members of a functor are its arguments, as what a lambda captures is.
class Filter {
 public:
  Filter(const float* w, const float* a, float* b) : w_(w), a_(a), b_(b) {}
  void operator()(sycl::nd_item<1> item) const {
    const int i = item.get_global_id(0);
    b_[i] = 0.0f;
    float s = 0.0f;
    for (int k = 0; k < 32; ++k) s += w_[k] * a_[i + k];  // expect: RP604 info @39 "128 bytes through `w_`"
    b_[i] = s;
  }

 private:
  const float* w_;
  const float* a_;
  float* b_;
};

void filter(sycl::queue& q, const float* w, const float* a, float* b, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 256), Filter(w, a, b));
}

// A number is a range of one dimension, and its `auto` an item.
void numbered(sycl::queue& q, const float* w, const float* a, float* b, int n) {
  q.parallel_for(n, [=](auto i) {
    b[i] = 0.0f;
    float s = 0.0f;
    for (int k = 0; k < 32; ++k) s += w[k] * a[i + k];  // expect: RP604 hint @39 "128 bytes through `w`"
    b[i] = s;
  });
}

// Accessors, and an atomic in a called function.
void count_up(int* counter) {
  sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*counter).fetch_add(1);
}

void counted(sycl::queue& q, sycl::buffer<float> wb, sycl::buffer<float> bb, int* total, int n) {
  q.submit([&](sycl::handler& h) {
    sycl::accessor w(wb, h, sycl::read_only);
    sycl::accessor b(bb, h, sycl::read_write);
    h.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> item) {
      const int i = item.get_global_id(0);
      float x = b[i];
      count_up(total);
      for (int k = 0; k < 16; ++k) x = x * w[k] + 1.0f;  // expect: RP604 hint @44 "an atomic at line"
      b[i] = x;
    });
  });
}
