// Just enough declarations for a syntax check of the SYCL files here without a SYCL compiler. Nothing is implemented.
#pragma once
#include <cstddef>
#include <cstdint>

namespace sycl {

using half = _Float16;

template <int D = 1>
struct id {
  std::size_t operator[](int) const;
  std::size_t get(int) const;
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

enum class memory_order { relaxed, acquire, release, acq_rel };
enum class memory_scope { work_item, sub_group, work_group, device, system };
namespace access {
enum class address_space { global_space, local_space, private_space, generic_space };
enum class decorated { no, yes, legacy };
}  // namespace access

template <typename T, access::address_space, access::decorated = access::decorated::legacy>
struct multi_ptr {
  explicit multi_ptr(T*);
};
template <access::address_space S, access::decorated D, typename T>
multi_ptr<T, S, D> address_space_cast(T*);

struct float4 {
  float& x();
  float x() const;
  float& y();
  float y() const;
  float& z();
  float z() const;
  float& w();
  float w() const;
};

struct sub_group {
  template <typename T, access::address_space S, access::decorated D>
  T load(multi_ptr<T, S, D>) const;
  template <typename T, access::address_space S, access::decorated D>
  void store(multi_ptr<T, S, D>, T) const;
  id<1> get_local_id() const;
  range<1> get_local_range() const;
  id<1> get_group_id() const;
  range<1> get_group_range() const;
};

template <int D = 1>
struct h_item {
  std::size_t get_global_id(int) const;
  std::size_t get_local_id(int) const;
};

template <int D = 1>
struct group {
  std::size_t get_group_id(int) const;
  std::size_t get_local_range(int) const;
  std::size_t get_local_linear_id() const;
  template <typename F>
  void parallel_for_work_item(const F& f) const {
    f(h_item<D>{});
  }
};

template <int D = 1>
struct item {
  std::size_t operator[](int) const;
  std::size_t get_id(int) const;
  id<D> get_id() const;
  std::size_t get_linear_id() const;
  std::size_t get_range(int) const;
  operator std::size_t() const;
};

enum class access_mode { read, write, read_write };
namespace access {
enum class fence_space { local_space, global_space, global_and_local };
}

template <int D = 1>
struct nd_item {
  std::size_t get_local_linear_id() const;
  std::size_t get_group_range(int) const;
  std::size_t get_group_linear_id() const;
  void barrier(access::fence_space = access::fence_space::global_and_local) const;
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

template <typename Group, typename T, typename Op>
T reduce_over_group(Group, T, Op);
template <typename Group, typename T>
T select_from_group(Group, T, id<1>);
template <typename Group, typename T>
T shift_group_left(Group, T, std::size_t = 1);
template <typename Group, typename T>
T permute_group_by_xor(Group, T, std::size_t);
template <typename T = void>
struct plus {};
template <typename T = void>
struct maximum {};

template <typename T, memory_order, memory_scope, access::address_space = access::address_space::global_space>
struct atomic_ref {
  explicit atomic_ref(T&);
  T fetch_add(T);
};

struct handler;

template <typename T, int D>
struct slice {
  slice<T, D - 1> operator[](std::size_t) const;
};
template <typename T>
struct slice<T, 0> {
  slice& operator=(T);
  operator T() const;
};

template <typename T, int D = 1>
struct buffer {
  explicit buffer(range<D>);
};
struct read_only_t {};
struct write_only_t {};
inline constexpr read_only_t read_only;
inline constexpr write_only_t write_only;

template <typename T, int D = 1>
struct accessor {
  template <typename Mode>
  accessor(buffer<T, D>&, handler&, Mode);
  slice<T, D - 1> operator[](std::size_t) const;
};
template <typename T, int D, typename Mode>
accessor(buffer<T, D>&, handler&, Mode) -> accessor<T, D>;

template <typename T, int D = 1>
struct local_accessor {
  local_accessor(range<D>, handler&);
  T& operator[](std::size_t) const;
};

// A kernel over a range takes an item, an id or an index: an item becomes each of them.
template <int D>
struct element : item<D> {
  operator id<D>() const;
};

struct handler {
  template <typename Name = void, int D, typename F>
  void parallel_for(nd_range<D>, const F& f) {
    f(nd_item<D>{});
  }
  template <typename Name = void, int D, typename F>
  void parallel_for(range<D>, const F& f) {
    f(element<D>{});
  }
  template <typename Name = void, int D, typename F>
  void parallel_for_work_group(range<D>, range<D>, const F& f) {
    f(group<D>{});
  }
  template <typename Name = void, typename F>
  void single_task(const F& f) {
    f();
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
  template <typename Name = void, int D, typename F>
  event parallel_for(nd_range<D>, const F& f) {
    f(nd_item<D>{});
    return {};
  }
  template <typename Name = void, int D, typename F>
  event parallel_for(range<D>, const F& f) {
    f(element<D>{});
    return {};
  }
  template <typename Name = void, typename F>
  event single_task(const F& f) {
    f();
    return {};
  }
  void wait();
};

#define REAL_FUNCTION(name) \
  double name(double);      \
  float name(float);        \
  half name(half);
REAL_FUNCTION(exp)
REAL_FUNCTION(exp2)
REAL_FUNCTION(exp10)
REAL_FUNCTION(log)
REAL_FUNCTION(log2)
REAL_FUNCTION(log10)
REAL_FUNCTION(log1p)
REAL_FUNCTION(expm1)
REAL_FUNCTION(sin)
REAL_FUNCTION(cos)
REAL_FUNCTION(tan)
REAL_FUNCTION(sinpi)
REAL_FUNCTION(cospi)
REAL_FUNCTION(asin)
REAL_FUNCTION(acos)
REAL_FUNCTION(atan)
REAL_FUNCTION(sinh)
REAL_FUNCTION(cosh)
REAL_FUNCTION(tanh)
REAL_FUNCTION(erf)
REAL_FUNCTION(erfc)
REAL_FUNCTION(tgamma)
REAL_FUNCTION(lgamma)
REAL_FUNCTION(sqrt)
REAL_FUNCTION(rsqrt)
REAL_FUNCTION(cbrt)
REAL_FUNCTION(fabs)
REAL_FUNCTION(floor)
REAL_FUNCTION(ceil)
#undef REAL_FUNCTION

#define REAL_FUNCTION(name)   \
  double name(double, double); \
  float name(float, float);    \
  half name(half, half);
REAL_FUNCTION(pow)
REAL_FUNCTION(powr)
REAL_FUNCTION(fmin)
REAL_FUNCTION(fmax)
REAL_FUNCTION(fmod)
REAL_FUNCTION(hypot)
REAL_FUNCTION(atan2)
#undef REAL_FUNCTION

double pown(double, int);
float pown(float, int);
half pown(half, int);
double fma(double, double, double);
float fma(float, float, float);
double sincos(double, double*);
float sincos(float, float*);
template <access::decorated D>
double sincos(double, multi_ptr<double, access::address_space::private_space, D>);
template <access::decorated D>
float sincos(float, multi_ptr<float, access::address_space::private_space, D>);
template <typename T>
T min(T, T);
template <typename T>
T max(T, T);
template <typename T>
T abs(T);

namespace native {
float exp(float);
float sin(float);
float cos(float);
float sqrt(float);
float powr(float, float);
}  // namespace native

namespace ext::oneapi::experimental {
template <typename... T>
int printf(const char*, T...);
}

}  // namespace sycl
