// A kernel that uses the range of the shims for SYCL. It is parsed, never compiled.
#include <sycl/sycl.hpp>

#include <chrono>
#include <iostream>
#include <numeric>

constexpr int kBlock = 64;

struct Scale {
  float *data;
  void operator()(sycl::id<1> i) const { data[i] *= 2; }
};

int main() {
  sycl::queue q{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  std::cout << q.get_device().get_info<sycl::info::device::name>() << std::endl;
  float *d = sycl::malloc_device<float>(1024, q);
  auto *raw = static_cast<int *>(sycl::malloc_shared(1024, q));
  std::vector<float> host(1024);
  std::iota(host.begin(), host.end(), 0.f);
  q.memcpy(d, host.data(), host.size() * sizeof(float)).wait();
  sycl::buffer<float> one(host.data(), sycl::range<1>(1024));
  sycl::buffer<float, 2> two(host.data(), sycl::range<2>(32, 32));
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(one, h, sycl::read_only);
    auto b = two.get_access<sycl::access::mode::read_write>(h);
    sycl::local_accessor<float, 1> tile(sycl::range<1>(kBlock), h);
    sycl::local_accessor<int, 2> plane(sycl::range<2>(4, kBlock), h);
    h.parallel_for<class Sample>(
        sycl::nd_range<1>(sycl::range<1>(1024), sycl::range<1>(kBlock)),
        [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(32)]] {
          const int i = item.get_global_id(0);
          const auto group = item.get_group();
          const sycl::sub_group warp = item.get_sub_group();
          float scratch[kBlock / 4];
          tile[item.get_local_id(0)] = a[i] + b[i / 32][i % 32];
          plane[1][i % kBlock] = i;
          item.barrier(sycl::access::fence_space::local_space);
          sycl::group_barrier(group);
          sycl::float4 v(1.f, 2.f, 3.f, 4.f);
          v = v * 2.f + v - sycl::float4(0.5f);
          v.x() += sycl::sqrt(v.w()) + sycl::native::exp(v.y()) + sycl::pow(v.z(), 2.f);
          v.xy() = sycl::float2(1, 2);
          sycl::half2 narrow{sycl::half(1), sycl::half(2)};
          sycl::vec<int, 3> three = v.xyz().convert<int, sycl::rounding_mode::rte>();
          sycl::marray<double, 3> m(1.0, 2.0, 3.0);
          sycl::ext::oneapi::bfloat16 bf = v.x();
          sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device,
                           sycl::access::address_space::global_space>
              total(d[0]);
          total.fetch_add(sycl::reduce_over_group(group, v.x(), sycl::plus<>()));
          v.y() = sycl::shift_group_left(warp, v.y(), 1) + sycl::permute_group_by_xor(warp, v.z(), 2) +
                  sycl::select_from_group(warp, v.w(), 0) + warp.shuffle_down(v.x(), 1);
          scratch[i % 16] = sycl::dot(v, v) + narrow.x() + three.z() + static_cast<float>(m[1]) + bf;
          d[i] = scratch[0] + sycl::min(i, 3) + sycl::clamp(v.x(), 0.f, 1.f) + sycl::any_of_group(group, i > 2) +
                 sycl::popcount(static_cast<unsigned>(i)) + tile.get_multi_ptr<sycl::access::decorated::no>().get()[0];
        });
  });
  q.submit([&](auto &h) { h.parallel_for(sycl::range{32, 32}, [=](auto it) { d[it.get_id(0)] = it[1]; }); });
  q.parallel_for(sycl::range<1>(1024), Scale{d}).wait();
  q.parallel_for(sycl::range<1>(1024), sycl::reduction(d, sycl::plus<float>()),
                 [=](sycl::item<1> i, auto &sum) { sum += d[i]; });
  q.single_task([=] { raw[0] = 1; });
  sycl::free(d, q);
  try {
    q.wait_and_throw();
  } catch (const sycl::exception &error) {
    std::cerr << error.what();
  }
}
