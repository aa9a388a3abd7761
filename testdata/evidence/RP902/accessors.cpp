// The kernels of accessors.cl in SYCL.
#include <sycl/sycl.hpp>

void eight_smell(sycl::queue& q, sycl::buffer<float>& a_buffer, sycl::buffer<float>& b_buffer,
                 sycl::buffer<float>& c_buffer, sycl::buffer<float>& d_buffer, sycl::buffer<float>& e_buffer,
                 sycl::buffer<float>& f_buffer, sycl::buffer<float>& g_buffer, sycl::buffer<float>& o_buffer, int m,
                 int n) {
  q.submit([&](sycl::handler& h) {
    sycl::accessor a(a_buffer, h, sycl::read_only);
    sycl::accessor b(b_buffer, h, sycl::read_only);
    sycl::accessor c(c_buffer, h, sycl::read_only);
    sycl::accessor d(d_buffer, h, sycl::read_only);
    sycl::accessor e(e_buffer, h, sycl::read_only);
    sycl::accessor f(f_buffer, h, sycl::read_only);
    sycl::accessor g(g_buffer, h, sycl::read_only);
    sycl::accessor o(o_buffer, h, sycl::write_only);
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
      size_t i = item.get_global_id(0);
      float s = 0.0f;
      for (int j = 0; j < m; ++j, i += n) s += a[i] * b[i] + c[i] * d[i] + e[i] * f[i] + g[i];
      o[i] = s;
    });
  });
}

void eight_repaired(sycl::queue& q, const float* a, const float* b, const float* c, const float* d, const float* e,
                    const float* f, const float* g, float* o, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    size_t i = item.get_global_id(0);
    float s = 0.0f;
    for (int j = 0; j < m; ++j, i += n) s += a[i] * b[i] + c[i] * d[i] + e[i] * f[i] + g[i];
    o[i] = s;
  });
}

void crowded_smell(sycl::queue& q, sycl::buffer<float>& a_buffer, sycl::buffer<float>& b_buffer,
                   sycl::buffer<float>& c_buffer, sycl::buffer<float>& d_buffer, sycl::buffer<float>& e_buffer,
                   sycl::buffer<float>& f_buffer, sycl::buffer<float>& g_buffer, sycl::buffer<float>& o_buffer, int m,
                   int n) {
  q.submit([&](sycl::handler& h) {
    sycl::accessor a(a_buffer, h, sycl::read_only);
    sycl::accessor b(b_buffer, h, sycl::read_only);
    sycl::accessor c(c_buffer, h, sycl::read_only);
    sycl::accessor d(d_buffer, h, sycl::read_only);
    sycl::accessor e(e_buffer, h, sycl::read_only);
    sycl::accessor f(f_buffer, h, sycl::read_only);
    sycl::accessor g(g_buffer, h, sycl::read_only);
    sycl::accessor o(o_buffer, h, sycl::write_only);
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
      size_t i = item.get_global_id(0);
      float s[48];
#pragma unroll
      for (int k = 0; k < 48; ++k) s[k] = 0.0f;
      for (int j = 0; j < m; ++j, i += n) {
        float u = a[i] * b[i] + c[i] * d[i], v = e[i] * f[i] + g[i];
#pragma unroll
        for (int k = 0; k < 48; ++k) s[k] = s[k] * u + s[(k + 1) % 48] * v;
      }
#pragma unroll
      for (int k = 0; k < 48; ++k) o[i + k * n] = s[k];
    });
  });
}

void crowded_repaired(sycl::queue& q, const float* a, const float* b, const float* c, const float* d, const float* e,
                      const float* f, const float* g, float* o, int m, int n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    size_t i = item.get_global_id(0);
    float s[48];
#pragma unroll
    for (int k = 0; k < 48; ++k) s[k] = 0.0f;
    for (int j = 0; j < m; ++j, i += n) {
      float u = a[i] * b[i] + c[i] * d[i], v = e[i] * f[i] + g[i];
#pragma unroll
      for (int k = 0; k < 48; ++k) s[k] = s[k] * u + s[(k + 1) % 48] * v;
    }
#pragma unroll
    for (int k = 0; k < 48; ++k) o[i + k * n] = s[k];
  });
}
