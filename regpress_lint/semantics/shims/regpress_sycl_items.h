// SYCL: ranges, ids, items, groups, atomics, pointers, and what a group does together.
#pragma once
#include <regpress_sycl_math.h>

namespace sycl {
#define REGPRESS_INDEX_OPERATOR(self, sign)                 \
  friend self operator sign(const self &, const self &);    \
  friend self operator sign(const self &, size_t);          \
  friend self operator sign(size_t, const self &);          \
  self &operator sign##=(const self &);                     \
  self &operator sign##=(size_t);
// D numbers of the width of a pointer, for id and range.
template <int D>
struct regpress_index {
  size_t items[D];
  constexpr regpress_index() : items{} {}
  template <typename... T>
  constexpr regpress_index(size_t first, T... rest) : items{first, static_cast<size_t>(rest)...} {}
  constexpr size_t get(int at) const { return items[at]; }
  constexpr size_t &operator[](int at) { return items[at]; }
  constexpr size_t operator[](int at) const { return items[at]; }
};
template <int D = 1>
struct range : regpress_index<D> {
  static constexpr int dimensions = D;
  constexpr range() = default;
  template <typename... T, typename = std::enable_if_t<sizeof...(T) == D && (std::is_convertible_v<T, size_t> && ...)>>
  constexpr range(T... values) : regpress_index<D>(static_cast<size_t>(values)...) {}
  constexpr size_t size() const {
    size_t product = 1;
    for (size_t one : this->items) product *= one;
    return product;
  }
  template <typename U, typename = std::enable_if_t<D == 1 && std::is_integral_v<U>>>
  operator U() const;
  REGPRESS_INDEX_OPERATOR(range, +)
  REGPRESS_INDEX_OPERATOR(range, -)
  REGPRESS_INDEX_OPERATOR(range, *)
  REGPRESS_INDEX_OPERATOR(range, /)
  REGPRESS_INDEX_OPERATOR(range, %)
  friend bool operator==(const range &, const range &);
  friend bool operator!=(const range &, const range &);
};
template <typename... T>
range(T...) -> range<sizeof...(T)>;
template <int D, bool Offset = true>
struct REGPRESS_UNSIZED item;
template <int D = 1>
struct id : regpress_index<D> {
  static constexpr int dimensions = D;
  constexpr id() = default;
  template <typename... T, typename = std::enable_if_t<sizeof...(T) == D && (std::is_convertible_v<T, size_t> && ...)>>
  constexpr id(T... values) : regpress_index<D>(static_cast<size_t>(values)...) {}
  id(const range<D> &);
  template <bool O>
  id(const item<D, O> &);
  template <typename U, typename = std::enable_if_t<D == 1 && std::is_arithmetic_v<U>>>
  operator U() const;
  REGPRESS_INDEX_OPERATOR(id, +)
  REGPRESS_INDEX_OPERATOR(id, -)
  REGPRESS_INDEX_OPERATOR(id, *)
  REGPRESS_INDEX_OPERATOR(id, /)
  REGPRESS_INDEX_OPERATOR(id, %)
  friend bool operator==(const id &, const id &);
  friend bool operator!=(const id &, const id &);
};
template <typename... T>
id(T...) -> id<sizeof...(T)>;
template <int D = 1>
struct nd_range {
  range<D> global, local;
  id<D> offset;
  static constexpr int dimensions = D;
  nd_range(range<D> global, range<D> local, id<D> offset = id<D>());
  range<D> get_global_range() const;
  range<D> get_local_range() const;
  range<D> get_group_range() const;
};
template <int D, bool Offset>
struct REGPRESS_UNSIZED item {
  static constexpr int dimensions = D;
  id<D> get_id() const;
  size_t get_id(int) const;
  size_t operator[](int) const;
  range<D> get_range() const;
  size_t get_range(int) const;
  size_t get_linear_id() const;
  id<D> get_offset() const;
  template <typename U, typename = std::enable_if_t<D == 1 && std::is_arithmetic_v<U>>>
  operator U() const;
};

template <typename T, access::address_space S = access::address_space::generic_space,
          access::decorated Decorated = access::decorated::legacy>
class multi_ptr {
  T *place;

 public:
  using value_type = T;
  using pointer = T *;
  using element_type = T;
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = ptrdiff_t;
  using reference = T &;
  multi_ptr() = default;
  multi_ptr(T *);
  template <typename U, access::address_space Z, access::decorated E>
  multi_ptr(const multi_ptr<U, Z, E> &);
  template <typename A>
  explicit multi_ptr(const A &);
  T *get() const;
  T *get_raw() const;
  T *get_decorated() const;
  operator T *() const;
  T *operator->() const;
  multi_ptr operator+(ptrdiff_t) const;
  multi_ptr operator-(ptrdiff_t) const;
  multi_ptr &operator+=(ptrdiff_t);
  multi_ptr &operator-=(ptrdiff_t);
  multi_ptr &operator++();
  multi_ptr operator++(int);
};
template <typename T, access::decorated E = access::decorated::legacy>
using global_ptr = multi_ptr<T, access::address_space::global_space, E>;
template <typename T, access::decorated E = access::decorated::legacy>
using local_ptr = multi_ptr<T, access::address_space::local_space, E>;
template <typename T, access::decorated E = access::decorated::legacy>
using private_ptr = multi_ptr<T, access::address_space::private_space, E>;
template <typename T, access::decorated E = access::decorated::legacy>
using constant_ptr = multi_ptr<T, access::address_space::constant_space, E>;
template <access::address_space S, access::decorated E = access::decorated::legacy, typename T>
multi_ptr<T, S, E> address_space_cast(T *);
template <access::address_space S, access::decorated E = access::decorated::legacy, typename T>
multi_ptr<T, S, E> make_ptr(T *);

class device_event {
 public:
  void wait();
};
template <int D = 1>
struct REGPRESS_UNSIZED group {
  using id_type = id<D>;
  using range_type = range<D>;
  using linear_id_type = size_t;
  static constexpr int dimensions = D;
  static constexpr memory_scope fence_scope = memory_scope::work_group;
  id<D> get_group_id() const;
  size_t get_group_id(int) const;
  id<D> get_id() const;
  size_t get_id(int) const;
  size_t operator[](int) const;
  id<D> get_local_id() const;
  size_t get_local_id(int) const;
  range<D> get_local_range() const;
  size_t get_local_range(int) const;
  range<D> get_group_range() const;
  size_t get_group_range(int) const;
  range<D> get_max_local_range() const;
  size_t get_group_linear_id() const;
  size_t get_local_linear_id() const;
  size_t get_group_linear_range() const;
  size_t get_local_linear_range() const;
  size_t get_linear_id() const;
  bool leader() const;
  template <typename P, typename Q, typename... A>
  device_event async_work_group_copy(P, Q, size_t, A...) const;
  template <typename... E>
  void wait_for(E...) const;
  template <typename F>
  void parallel_for_work_item(F) const;
  template <typename F>
  void parallel_for_work_item(range<D>, F) const;
  template <typename U, typename = std::enable_if_t<D == 1 && std::is_integral_v<U>>>
  operator U() const;
};
struct REGPRESS_UNSIZED sub_group {
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;
  id<1> get_local_id() const;
  range<1> get_local_range() const;
  range<1> get_max_local_range() const;
  id<1> get_group_id() const;
  range<1> get_group_range() const;
  uint32_t get_local_linear_id() const;
  uint32_t get_local_linear_range() const;
  uint32_t get_group_linear_id() const;
  uint32_t get_group_linear_range() const;
  bool leader() const;
  template <typename T>
  T shuffle(T, id<1>) const;
  template <typename T>
  T shuffle_up(T, uint32_t) const;
  template <typename T>
  T shuffle_down(T, uint32_t) const;
  template <typename T>
  T shuffle_xor(T, id<1>) const;
  template <typename P>
  auto load(P p) const -> std::remove_cv_t<std::remove_reference_t<decltype(*p)>>;
  template <int N, typename P>
  auto load(P p) const -> vec<std::remove_cv_t<std::remove_reference_t<decltype(*p)>>, N>;
  template <typename P, typename T>
  void store(P, const T &) const;
  void barrier(access::fence_space = access::fence_space::global_and_local) const;
};
template <int D = 1>
struct REGPRESS_UNSIZED nd_item {
  static constexpr int dimensions = D;
  id<D> get_global_id() const;
  size_t get_global_id(int) const;
  id<D> get_local_id() const;
  size_t get_local_id(int) const;
  group<D> get_group() const;
  size_t get_group(int) const;
  sub_group get_sub_group() const;
  range<D> get_group_range() const;
  size_t get_group_range(int) const;
  range<D> get_global_range() const;
  size_t get_global_range(int) const;
  range<D> get_local_range() const;
  size_t get_local_range(int) const;
  size_t get_global_linear_id() const;
  size_t get_local_linear_id() const;
  size_t get_group_linear_id() const;
  id<D> get_offset() const;
  nd_range<D> get_nd_range() const;
  void barrier(access::fence_space = access::fence_space::global_and_local) const;
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const;
  template <typename P, typename Q, typename... A>
  device_event async_work_group_copy(P, Q, size_t, A...) const;
  template <typename... E>
  void wait_for(E...) const;
};
template <int D = 1>
struct REGPRESS_UNSIZED h_item : nd_item<D> {
  item<D> get_global() const;
  item<D> get_local() const;
};

template <typename G>
void group_barrier(const G &, memory_scope = memory_scope::work_group);
template <typename G, typename T, typename... A>
T group_broadcast(const G &, T, A...);
template <typename G, typename T, typename I>
T select_from_group(const G &, T, const I &);
template <typename G, typename T>
T shift_group_left(const G &, T, size_t = 1);
template <typename G, typename T>
T shift_group_right(const G &, T, size_t = 1);
template <typename G, typename T>
T permute_group_by_xor(const G &, T, size_t);
template <typename G, typename T, typename F>
T reduce_over_group(const G &, T, F);
template <typename G, typename T, typename U, typename F>
U reduce_over_group(const G &, T, U, F);
template <typename G, typename T, typename F>
T inclusive_scan_over_group(const G &, T, F);
template <typename G, typename T, typename F, typename U>
U inclusive_scan_over_group(const G &, T, F, U);
template <typename G, typename T, typename F>
T exclusive_scan_over_group(const G &, T, F);
template <typename G, typename T, typename U, typename F>
U exclusive_scan_over_group(const G &, T, U, F);
template <typename G, typename P, typename F>
auto joint_reduce(const G &, P first, P, F) -> std::remove_cv_t<std::remove_reference_t<decltype(*first)>>;
template <typename G, typename P, typename T, typename F>
T joint_reduce(const G &, P, P, T, F);
template <typename G, typename P, typename O, typename... A>
O joint_inclusive_scan(const G &, P, P, O, A...);
template <typename G, typename P, typename O, typename... A>
O joint_exclusive_scan(const G &, P, P, O, A...);
template <typename G, typename... A>
bool any_of_group(const G &, A...);
template <typename G, typename... A>
bool all_of_group(const G &, A...);
template <typename G, typename... A>
bool none_of_group(const G &, A...);
template <typename G, typename P, typename F>
bool joint_any_of(const G &, P, P, F);
void atomic_fence(memory_order, memory_scope);

template <typename T, memory_order Order, memory_scope Scope,
          access::address_space Space = access::address_space::generic_space>
struct atomic_ref {
  T *place;
  using value_type = T;
  static constexpr memory_order default_read_order = memory_order::relaxed;
  explicit atomic_ref(T &);
  atomic_ref(const atomic_ref &) = default;
  T operator=(T) const;
  operator T() const;
#define REGPRESS_ATOMIC_ORDER memory_order = Order, memory_scope = Scope
  T load(REGPRESS_ATOMIC_ORDER) const;
  void store(T, REGPRESS_ATOMIC_ORDER) const;
  T exchange(T, REGPRESS_ATOMIC_ORDER) const;
  bool compare_exchange_strong(T &, T, REGPRESS_ATOMIC_ORDER) const;
  bool compare_exchange_strong(T &, T, memory_order, memory_order, memory_scope = Scope) const;
  bool compare_exchange_weak(T &, T, REGPRESS_ATOMIC_ORDER) const;
  bool compare_exchange_weak(T &, T, memory_order, memory_order, memory_scope = Scope) const;
  T fetch_add(T, REGPRESS_ATOMIC_ORDER) const;
  T fetch_sub(T, REGPRESS_ATOMIC_ORDER) const;
  T fetch_and(T, REGPRESS_ATOMIC_ORDER) const;
  T fetch_or(T, REGPRESS_ATOMIC_ORDER) const;
  T fetch_xor(T, REGPRESS_ATOMIC_ORDER) const;
  T fetch_min(T, REGPRESS_ATOMIC_ORDER) const;
  T fetch_max(T, REGPRESS_ATOMIC_ORDER) const;
  T operator++() const;
  T operator++(int) const;
  T operator--() const;
  T operator--(int) const;
  T operator+=(T) const;
  T operator-=(T) const;
  T operator&=(T) const;
  T operator|=(T) const;
  T operator^=(T) const;
};
// SYCL 1.2.1's atomics.
template <typename T, access::address_space S = access::address_space::global_space>
struct REGPRESS_UNSIZED atomic {
  template <typename P>
  atomic(const P &);
  T load(memory_order = memory_order::relaxed) const;
  void store(T, memory_order = memory_order::relaxed);
  T fetch_add(T, memory_order = memory_order::relaxed);
  T fetch_sub(T, memory_order = memory_order::relaxed);
  T fetch_and(T, memory_order = memory_order::relaxed);
  T fetch_or(T, memory_order = memory_order::relaxed);
  T fetch_xor(T, memory_order = memory_order::relaxed);
  T fetch_min(T, memory_order = memory_order::relaxed);
  T fetch_max(T, memory_order = memory_order::relaxed);
  T exchange(T, memory_order = memory_order::relaxed);
  bool compare_exchange_strong(T &, T, memory_order = memory_order::relaxed, memory_order = memory_order::relaxed);
};
template <typename T, access::address_space S>
T atomic_load(atomic<T, S>);
template <typename T, access::address_space S>
T atomic_fetch_add(atomic<T, S>, T);
template <typename T, access::address_space S>
T atomic_fetch_max(atomic<T, S>, T);
}  // namespace sycl
