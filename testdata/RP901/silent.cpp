// Near misses: one dimension, local memory, a pointer to rows, an array that hides the accessor, one that is not indexed.
#include <sycl/sycl.hpp>

using namespace sycl;

void silent(queue& q, buffer<float>& in, buffer<float, 2>& out, float (*rows)[8], int n) {
  q.submit([&](handler& h) {
    accessor a(in, h, read_only);
    accessor b(out, h, write_only);
    local_accessor<float, 2> tile(range<2>(8, 8), h);
    h.parallel_for(nd_range<1>(n, 64), [=](nd_item<1> item) {
      int i = item.get_global_id(0);
      tile[i & 7][1] = a[i];
      item.barrier();
      rows[i][3] = tile[1][i & 7];
      float c[2][2] = {{1.0f, 2.0f}, {3.0f, 4.0f}};
      rows[i][4] = c[1][0];
    });
  });
}

void hidden(queue& q, buffer<float, 2>& out, float* p, int n) {
  q.submit([&](handler& h) {
    accessor b(out, h, write_only);
    h.parallel_for(nd_range<1>(n, 64), [=](nd_item<1> item) {
      int i = item.get_global_id(0);
      float b[2][2] = {{1.0f, 2.0f}, {3.0f, 4.0f}};
      p[i] = b[1][0];
    });
  });
}
