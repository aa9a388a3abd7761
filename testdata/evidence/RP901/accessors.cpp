// The kernels of accessors.cl in SYCL.
#include <sycl/sycl.hpp>

void tile_smell(sycl::queue& q, sycl::buffer<float, 3>& a_buffer, sycl::buffer<float, 3>& b_buffer,
                sycl::buffer<float, 3>& c_buffer, sycl::buffer<float, 3>& e_buffer, sycl::buffer<float, 3>& d_buffer,
                sycl::nd_range<3> range, int m) {
  q.submit([&](sycl::handler& h) {
    sycl::accessor a(a_buffer, h, sycl::read_only);
    sycl::accessor b(b_buffer, h, sycl::read_only);
    sycl::accessor c(c_buffer, h, sycl::read_only);
    sycl::accessor e(e_buffer, h, sycl::read_only);
    sycl::accessor d(d_buffer, h, sycl::write_only);
    h.parallel_for(range, [=](sycl::nd_item<3> item) {
      size_t x = item.get_global_id(0), y = item.get_global_id(1), z = item.get_global_id(2);
      float s[40];
#pragma unroll
      for (int k = 0; k < 40; ++k) s[k] = 0.0f;
      for (int j = 0; j < m; ++j) {
        float u = a[x][y][z + j], v = b[x][y + j][z], w = c[x + j][y][z], q = e[x + j][y + j][z];
#pragma unroll
        for (int k = 0; k < 40; ++k) s[k] = s[k] * u + s[(k + 1) % 40] * v + w + q;
      }
#pragma unroll
      for (int k = 0; k < 40; ++k) d[x][y][z + k] = s[k];
    });
  });
}

void tile_repaired(sycl::queue& q, const float* a, const float* b, const float* c, const float* e, float* d, int width,
                   int height, sycl::nd_range<3> range, int m) {
  q.parallel_for(range, [=](sycl::nd_item<3> item) {
    unsigned x = item.get_global_id(0), y = item.get_global_id(1), z = item.get_global_id(2);
    unsigned i = (x * height + y) * width + z;
    float s[40];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = 0.0f;
    for (int j = 0; j < m; ++j) {
      float u = a[i + j], v = b[i + j * width], w = c[i + j * width * height], q = e[i + j * (width + width * height)];
#pragma unroll
      for (int k = 0; k < 40; ++k) s[k] = s[k] * u + s[(k + 1) % 40] * v + w + q;
    }
#pragma unroll
    for (int k = 0; k < 40; ++k) d[i + k] = s[k];
  });
}

void four_smell(sycl::queue& q, sycl::buffer<float, 3>& a_buffer, sycl::buffer<float, 3>& b_buffer,
                sycl::buffer<float, 3>& c_buffer, sycl::buffer<float, 3>& d_buffer, sycl::nd_range<3> range, int m) {
  q.submit([&](sycl::handler& h) {
    sycl::accessor a(a_buffer, h, sycl::read_only);
    sycl::accessor b(b_buffer, h, sycl::read_only);
    sycl::accessor c(c_buffer, h, sycl::read_only);
    sycl::accessor d(d_buffer, h, sycl::write_only);
    h.parallel_for(range, [=](sycl::nd_item<3> item) {
      size_t x = item.get_global_id(0), y = item.get_global_id(1), z = item.get_global_id(2);
      float s = 0.0f;
      for (int j = 0; j < m; ++j) s += a[x][y][z + j] * b[x][y + j][z] + c[x + j][y][z];
      d[x][y][z] = s;
    });
  });
}

void four_repaired(sycl::queue& q, const float* a, const float* b, const float* c, float* d, int width, int height,
                   sycl::nd_range<3> range, int m) {
  q.parallel_for(range, [=](sycl::nd_item<3> item) {
    unsigned x = item.get_global_id(0), y = item.get_global_id(1), z = item.get_global_id(2);
    unsigned i = (x * height + y) * width + z;
    float s = 0.0f;
    for (int j = 0; j < m; ++j) s += a[i + j] * b[i + j * width] + c[i + j * width * height];
    d[i] = s;
  });
}

void stencil_smell(sycl::queue& q, sycl::buffer<float, 2>& a_buffer, sycl::buffer<float, 2>& b_buffer,
                   sycl::nd_range<2> range) {
  q.submit([&](sycl::handler& h) {
    sycl::accessor a(a_buffer, h, sycl::read_only);
    sycl::accessor b(b_buffer, h, sycl::write_only);
    h.parallel_for(range, [=](sycl::nd_item<2> item) {
      int i = item.get_global_id(0) + 1, j = item.get_global_id(1) + 1;
      b[i][j] = (a[i][j] + a[i - 1][j] + a[i][j + 1] + a[i + 1][j] + a[i][j - 1]) / 5.0f;
    });
  });
}

void stencil_repaired(sycl::queue& q, const float* a, float* b, int width, sycl::nd_range<2> range) {
  q.parallel_for(range, [=](sycl::nd_item<2> item) {
    int at = (item.get_global_id(0) + 1) * width + item.get_global_id(1) + 1;
    b[at] = (a[at] + a[at - width] + a[at + 1] + a[at + width] + a[at - 1]) / 5.0f;
  });
}

void product_smell(sycl::queue& q, sycl::buffer<float, 2>& a_buffer, sycl::buffer<float, 2>& b_buffer,
                   sycl::buffer<float, 2>& c_buffer, sycl::nd_range<2> range, int n) {
  q.submit([&](sycl::handler& h) {
    sycl::accessor a(a_buffer, h, sycl::read_only);
    sycl::accessor b(b_buffer, h, sycl::read_only);
    sycl::accessor c(c_buffer, h, sycl::write_only);
    h.parallel_for(range, [=](sycl::nd_item<2> item) {
      int row = item.get_global_id(0), column = item.get_global_id(1);
      float s = 0.0f;
      for (int k = 0; k < n; ++k) s += a[row][k] * b[k][column];
      c[row][column] = s;
    });
  });
}

void product_repaired(sycl::queue& q, const float* a, const float* b, float* c, int width, sycl::nd_range<2> range,
                      int n) {
  q.parallel_for(range, [=](sycl::nd_item<2> item) {
    int row = item.get_global_id(0), column = item.get_global_id(1);
    float s = 0.0f;
    for (int k = 0; k < n; ++k) s += a[row * n + k] * b[k * width + column];
    c[row * width + column] = s;
  });
}
