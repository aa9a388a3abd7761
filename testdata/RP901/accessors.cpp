// Accessors of two and three dimensions, in the spellings that programs use.
#include <sycl/sycl.hpp>

using namespace sycl;

void rows(queue& q, buffer<float, 2>& in, buffer<float, 2>& out) {
  q.submit([&](handler& h) {
    accessor a(in, h, read_only);
    accessor b{out, h};
    h.parallel_for(range<2>(64, 64), [=](id<2> i) {
      b[i] = a[i[0]][i[1]] * 2.0f;  // expect: RP901 hint @7 "`a` and `b` are accessors of 2 dimensions" "4 registers"
    });
  });
}

void spelled(queue& q, std::vector<float>& host, int m, int n) {
  buffer<float, 3> cells(host.data(), range<3>(4, m, n));
  q.submit([&](handler& h) {
    auto a = cells.get_access<access::mode::read_write>(h);
    h.parallel_for(range<3>(4, m, n), [=](id<3> i) {
      a[i] += 1.0f;  // expect: RP901 hint "`a` is an accessor of 3 dimensions: 1 access makes its address"
    });
  });
}

void deduced(queue& q, float* host, int m, int n) {
  buffer cells(host, range(m, n));
  q.submit([&](handler& h) {
    accessor<float, 2, access::mode::write> a(cells, h);
    accessor b(cells, h, read_only);
    h.parallel_for(range(m, n), [=](auto i) {
      a[i] = b[i];  // expect: RP901 hint "`a` and `b` are"
    });
  });
}
