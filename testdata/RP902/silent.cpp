// Near misses: a pointer, local memory, two dimensions (RP901), an accessor of the host, one that is not indexed.
#include <sycl/sycl.hpp>

using namespace sycl;

void silent(queue& q, buffer<float, 2>& cells, buffer<float>& other, float* p) {
  host_accessor host(other);
  q.submit([&](handler& h) {
    accessor a(cells, h, read_only);
    accessor unused(other, h, read_only);
    local_accessor<float> tile(64, h);
    h.parallel_for(nd_range<1>(64, 64), [=](nd_item<1> item) {
      int i = item.get_local_id(0);
      tile[i] = a[i][0];
      item.barrier();
      p[i] = tile[63 - i];
    });
  });
}
