// Just enough declarations for a syntax check of the SYCL files here without a SYCL compiler. Nothing is implemented.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sycl {

template <int D = 1>
struct id {
  std::size_t operator[](int) const;
  operator std::size_t() const;
};

template <int D = 1>
struct range {
  range(std::size_t);
  range(std::size_t, std::size_t);
  range(std::size_t, std::size_t, std::size_t);
  std::size_t operator[](int) const;
};
range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;

template <int D = 1>
struct nd_range {
  nd_range(range<D> global, range<D> local);
};

struct sub_group {
  id<1> get_local_id() const;
  range<1> get_local_range() const;
  id<1> get_group_id() const;
  range<1> get_group_range() const;
};

template <int D = 1>
struct group {};

template <int D = 1>
struct nd_item {
  std::size_t get_global_id(int) const;
  std::size_t get_local_id(int) const;
  std::size_t get_group(int) const;
  std::size_t get_global_linear_id() const;
  std::size_t get_local_range(int) const;
  std::size_t get_global_range(int) const;
  group<D> get_group() const;
  sub_group get_sub_group() const;
};

template <typename Group>
void group_barrier(Group);
template <typename Group, typename T>
T group_broadcast(Group, T, std::size_t);

enum class memory_order { relaxed };
enum class memory_scope { device };
namespace access {
enum class address_space { global_space };
}

template <typename T, memory_order, memory_scope, access::address_space = access::address_space::global_space>
struct atomic_ref {
  explicit atomic_ref(T&);
  T fetch_add(T);
};

struct handler;

template <typename T, int D = 1>
struct local_accessor {
  local_accessor(range<D>, handler&);
  T& operator[](std::size_t) const;
};

struct handler {
  template <int D, typename F>
  void parallel_for(nd_range<D>, const F& f) {
    f(nd_item<D>{});
  }
  template <int D, typename F>
  void parallel_for(range<D>, const F& f) {
    f(id<D>{});
  }
};

struct event {
  void wait();
};

struct queue {
  static handler& current();
  template <typename F>
  event submit(F f) {
    f(current());
    return {};
  }
  template <int D, typename F>
  event parallel_for(nd_range<D>, const F& f) {
    f(nd_item<D>{});
    return {};
  }
};

double exp(double);
double sin(double);
double sqrt(double);
float sqrt(float);
double pow(double, double);
float pow(float, float);

}  // namespace sycl
