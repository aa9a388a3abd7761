// Accessors of one dimension, in the spellings that programs use.
#include <sycl/sycl.hpp>

using namespace sycl;

void deduced(queue& q, std::vector<float>& host, buffer<float>& out) {
  buffer in(host);
  q.submit([&](handler& h) {
    accessor a(in, h, read_only);  // expect: RP902 hint @5 "`a` and `b`" "64 bytes of arguments of `deduced`" "16 bytes"
    accessor b(out, h, write_only);
    h.parallel_for(range<1>(64), [=](id<1> i) { b[i] = a[i] * 2.0f; });
  });
}

void spelled(queue& q, buffer<int, 1>& values) {
  q.submit([&](handler& h) {
    auto a = values.get_access<access::mode::read_write>(h);  // expect: RP902 hint "a USM pointer takes 8 bytes"
    h.parallel_for(nd_range<1>(64, 64), [=](nd_item<1> item) { a[item.get_global_id(0)] += 1; });
  });
}
