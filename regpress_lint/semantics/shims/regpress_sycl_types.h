// SYCL: enumerations, half, vec and marray. Sizes are those of the specification: three lanes take four.
#pragma once
#include <assert.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <regpress_streams.h>
#include <stdexcept>
#include <vector>

namespace sycl {
using half = _Float16;
using std::byte;
using uchar = unsigned char;
using schar = signed char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;
using cl_int = int;
using cl_uint = unsigned;
using cl_float = float;
using cl_double = double;

enum class memory_order { relaxed, acquire, __consume_unsupported, release, acq_rel, seq_cst };
enum class memory_scope { work_item, sub_group, work_group, device, system };
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;
inline constexpr memory_scope memory_scope_work_item = memory_scope::work_item;
inline constexpr memory_scope memory_scope_sub_group = memory_scope::sub_group;
inline constexpr memory_scope memory_scope_work_group = memory_scope::work_group;
inline constexpr memory_scope memory_scope_device = memory_scope::device;
inline constexpr memory_scope memory_scope_system = memory_scope::system;
enum class rounding_mode { automatic, rte, rtz, rtp, rtn };
enum class access_mode { read, write, read_write, discard_write, discard_read_write, atomic };
enum class target { device, host_task, global_buffer = device, constant_buffer, local, image, host_buffer };
namespace access {
using mode = access_mode;
using sycl::target;
enum class fence_space { local_space, global_space, global_and_local };
enum class address_space {
  private_space,
  global_space,
  constant_space,
  local_space,
  generic_space,
  ext_intel_global_device_space,
  ext_intel_global_host_space
};
enum class placeholder { false_t, true_t };
enum class decorated { no, yes, legacy };
}  // namespace access

struct elem {
  static constexpr int x = 0, y = 1, z = 2, w = 3, r = 0, g = 1, b = 2, a = 3, s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4,
                       s5 = 5, s6 = 6, s7 = 7, s8 = 8, s9 = 9, sA = 10, sB = 11, sC = 12, sD = 13, sE = 14, sF = 15;
};

template <typename T, int N>
class vec;
// What a comparison of vectors gives: a signed integer as wide as the elements.
template <typename T>
using regpress_truth =
    std::conditional_t<sizeof(T) == 1, int8_t,
                       std::conditional_t<sizeof(T) == 2, int16_t, std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>>;
template <typename T>
inline constexpr int regpress_count = 1;
template <typename T, int N>
inline constexpr int regpress_count<vec<T, N>> = N;

template <typename U>
using regpress_number = std::enable_if_t<std::is_arithmetic_v<U> || std::is_same_v<U, half>>;
// Lane by lane, between two of them and with a number on either side: `family` is vec or marray.
#define REGPRESS_SYCL_BINARY(family, count, result, sign)                                           \
  template <typename T, count N>                                                                    \
  result operator sign(const family<T, N> &, const family<T, N> &);                                 \
  template <typename T, count N, typename U, typename = regpress_number<U>>                         \
  result operator sign(const family<T, N> &, const U &);                                            \
  template <typename T, count N, typename U, typename = regpress_number<U>>                         \
  result operator sign(const U &, const family<T, N> &);
#define REGPRESS_SYCL_ARITHMETIC(family, count, sign)                                               \
  REGPRESS_SYCL_BINARY(family, count, REGPRESS_LIST(family<T, N>), sign)                            \
  template <typename T, count N>                                                                    \
  family<T, N> &operator sign##=(family<T, N> &, const family<T, N> &);                             \
  template <typename T, count N, typename U, typename = regpress_number<U>>                         \
  family<T, N> &operator sign##=(family<T, N> &, const U &);
#define REGPRESS_LIST(...) __VA_ARGS__
#define REGPRESS_SYCL_OPERATORS(family, count, truth)               \
  REGPRESS_SYCL_ARITHMETIC(family, count, +)                        \
  REGPRESS_SYCL_ARITHMETIC(family, count, -)                        \
  REGPRESS_SYCL_ARITHMETIC(family, count, *)                        \
  REGPRESS_SYCL_ARITHMETIC(family, count, /)                        \
  REGPRESS_SYCL_ARITHMETIC(family, count, %)                        \
  REGPRESS_SYCL_ARITHMETIC(family, count, &)                        \
  REGPRESS_SYCL_ARITHMETIC(family, count, |)                        \
  REGPRESS_SYCL_ARITHMETIC(family, count, ^)                        \
  REGPRESS_SYCL_ARITHMETIC(family, count, <<)                       \
  REGPRESS_SYCL_ARITHMETIC(family, count, >>)                       \
  REGPRESS_SYCL_BINARY(family, count, REGPRESS_LIST(truth), ==)     \
  REGPRESS_SYCL_BINARY(family, count, REGPRESS_LIST(truth), !=)     \
  REGPRESS_SYCL_BINARY(family, count, REGPRESS_LIST(truth), <)      \
  REGPRESS_SYCL_BINARY(family, count, REGPRESS_LIST(truth), >)      \
  REGPRESS_SYCL_BINARY(family, count, REGPRESS_LIST(truth), <=)     \
  REGPRESS_SYCL_BINARY(family, count, REGPRESS_LIST(truth), >=)     \
  REGPRESS_SYCL_BINARY(family, count, REGPRESS_LIST(truth), &&)     \
  REGPRESS_SYCL_BINARY(family, count, REGPRESS_LIST(truth), ||)
// The operators of one operand, which are members.
#define REGPRESS_SYCL_UNARY(self)  \
  self operator-() const;          \
  self operator+() const;          \
  self operator~() const;          \
  self &operator++();              \
  self operator++(int);            \
  self &operator--();              \
  self operator--(int);

// Writing to several lanes at once: what `v.xy()` gives.
template <typename T, int N>
class REGPRESS_UNSIZED regpress_swizzle : public vec<T, N> {
 public:
  template <typename U>
  regpress_swizzle &operator=(const U &);
};

template <typename T, int N>
class alignas(sizeof(T) * (N == 3 ? 4 : N) > 64 ? 64 : sizeof(T) * (N == 3 ? 4 : N)) vec {
  T lanes[N == 3 ? 4 : N];

 public:
  using element_type = T;
  using value_type = T;
  using vector_t = T __attribute__((ext_vector_type(N)));
  vec() = default;
  template <typename U, typename = std::enable_if_t<std::is_convertible_v<U, T>>>
  constexpr vec(const U &all) : lanes{} {
    for (T &lane : lanes) lane = static_cast<T>(all);
  }
  template <typename A, typename B, typename... R>
  constexpr vec(const A &a, const B &b, const R &...rest) : lanes{} {
    if constexpr (2 + sizeof...(R) == N && std::is_convertible_v<A, T> && std::is_convertible_v<B, T> &&
                  (std::is_convertible_v<R, T> && ...)) {
      int at = 0;
      lanes[at++] = static_cast<T>(a);
      lanes[at++] = static_cast<T>(b);
      ((lanes[at++] = static_cast<T>(rest)), ...);
    }
  }
  vec &operator=(const vec &) = default;
  vec(const vec &) = default;
  template <typename U, typename = std::enable_if_t<std::is_convertible_v<U, T>>>
  vec &operator=(const U &);
  template <typename U, typename = std::enable_if_t<N == 1 && std::is_same_v<U, T>>>
  operator U() const;
  static constexpr int size() { return N; }
  static constexpr size_t get_count() { return N; }
  static constexpr size_t get_size() { return sizeof(vec); }
  static constexpr size_t byte_size() noexcept { return sizeof(vec); }
  constexpr T &operator[](int at) { return lanes[at]; }
  constexpr const T &operator[](int at) const { return lanes[at]; }
  template <typename U, rounding_mode M = rounding_mode::automatic>
  vec<U, N> convert() const;
  template <typename V>
  V as() const;
  template <int... I>
  regpress_swizzle<T, sizeof...(I)> swizzle() const;
#define REGPRESS_LANE(name, at)               \
  constexpr T &name() { return lanes[at]; }   \
  constexpr const T &name() const { return lanes[at]; }
  REGPRESS_LANE(x, 0)
  REGPRESS_LANE(y, 1)
  REGPRESS_LANE(z, 2)
  REGPRESS_LANE(w, 3)
  REGPRESS_LANE(r, 0)
  REGPRESS_LANE(g, 1)
  REGPRESS_LANE(b, 2)
  REGPRESS_LANE(a, 3)
  REGPRESS_LANE(s0, 0)
  REGPRESS_LANE(s1, 1)
  REGPRESS_LANE(s2, 2)
  REGPRESS_LANE(s3, 3)
  REGPRESS_LANE(s4, 4)
  REGPRESS_LANE(s5, 5)
  REGPRESS_LANE(s6, 6)
  REGPRESS_LANE(s7, 7)
  REGPRESS_LANE(s8, 8)
  REGPRESS_LANE(s9, 9)
  REGPRESS_LANE(sA, 10)
  REGPRESS_LANE(sB, 11)
  REGPRESS_LANE(sC, 12)
  REGPRESS_LANE(sD, 13)
  REGPRESS_LANE(sE, 14)
  REGPRESS_LANE(sF, 15)
#define REGPRESS_SWIZZLE2(name) regpress_swizzle<T, 2> name() const;
  REGPRESS_SWIZZLE2(xy)
  REGPRESS_SWIZZLE2(xz)
  REGPRESS_SWIZZLE2(xw)
  REGPRESS_SWIZZLE2(yx)
  REGPRESS_SWIZZLE2(yz)
  REGPRESS_SWIZZLE2(yw)
  REGPRESS_SWIZZLE2(zw)
  REGPRESS_SWIZZLE2(xx)
  REGPRESS_SWIZZLE2(yy)
  REGPRESS_SWIZZLE2(zz)
  REGPRESS_SWIZZLE2(ww)
  regpress_swizzle<T, 3> xyz() const;
  regpress_swizzle<T, 3> yzx() const;
  regpress_swizzle<T, 3> zxy() const;
  regpress_swizzle<T, 3> xxx() const;
  regpress_swizzle<T, 4> xyzw() const;
  regpress_swizzle<T, 4> wzyx() const;
  regpress_swizzle<T, 4> xxxx() const;
  regpress_swizzle<T, (N + 1) / 2> lo() const;
  regpress_swizzle<T, (N + 1) / 2> hi() const;
  regpress_swizzle<T, (N + 1) / 2> even() const;
  regpress_swizzle<T, (N + 1) / 2> odd() const;
  template <typename P>
  void load(size_t, P);
  template <typename P>
  void store(size_t, P) const;
  REGPRESS_SYCL_UNARY(vec)
  vec<regpress_truth<T>, N> operator!() const;
};
REGPRESS_SYCL_OPERATORS(vec, int, REGPRESS_LIST(vec<regpress_truth<T>, N>))
template <typename T, typename... R>
vec(T, R...) -> vec<T, 1 + sizeof...(R)>;

// N elements one after the other.
template <typename T, size_t N>
class marray {
  T items[N];

 public:
  using value_type = T;
  marray() = default;
  template <typename... U>
  constexpr marray(const U &...values) : items{} {
    if constexpr (sizeof...(U) == N && (std::is_convertible_v<U, T> && ...)) {
      size_t at = 0;
      ((items[at++] = static_cast<T>(values)), ...);
    }
  }
  static constexpr size_t size() { return N; }
  constexpr T &operator[](size_t at) { return items[at]; }
  constexpr const T &operator[](size_t at) const { return items[at]; }
  T *begin();
  T *end();
  const T *begin() const;
  const T *end() const;
  operator T() const;
  REGPRESS_SYCL_UNARY(marray)
};
REGPRESS_SYCL_OPERATORS(marray, size_t, REGPRESS_LIST(marray<bool, N>))

#define REGPRESS_SYCL_VECTORS(name, type) \
  using name##2 = vec<type, 2>;           \
  using name##3 = vec<type, 3>;           \
  using name##4 = vec<type, 4>;           \
  using name##8 = vec<type, 8>;           \
  using name##16 = vec<type, 16>;         \
  using m##name##2 = marray<type, 2>;     \
  using m##name##3 = marray<type, 3>;     \
  using m##name##4 = marray<type, 4>;     \
  using m##name##8 = marray<type, 8>;     \
  using m##name##16 = marray<type, 16>;
REGPRESS_SYCL_VECTORS(char, int8_t)
REGPRESS_SYCL_VECTORS(schar, signed char)
REGPRESS_SYCL_VECTORS(uchar, uint8_t)
REGPRESS_SYCL_VECTORS(short, int16_t)
REGPRESS_SYCL_VECTORS(ushort, uint16_t)
REGPRESS_SYCL_VECTORS(int, int32_t)
REGPRESS_SYCL_VECTORS(uint, uint32_t)
REGPRESS_SYCL_VECTORS(long, int64_t)
REGPRESS_SYCL_VECTORS(ulong, uint64_t)
REGPRESS_SYCL_VECTORS(longlong, long long)
REGPRESS_SYCL_VECTORS(ulonglong, unsigned long long)
REGPRESS_SYCL_VECTORS(half, half)
REGPRESS_SYCL_VECTORS(float, float)
REGPRESS_SYCL_VECTORS(double, double)
using bool2 = vec<bool, 2>;
using bool4 = vec<bool, 4>;

template <typename To, typename From>
constexpr To bit_cast(const From &from) noexcept {
  return __builtin_bit_cast(To, from);
}

namespace ext::oneapi {
class bfloat16 {
  uint16_t bits;

 public:
  bfloat16() = default;
  bfloat16(float);
  operator float() const;
  bfloat16 &operator=(float);
  bfloat16 &operator+=(bfloat16);
  bfloat16 &operator-=(bfloat16);
  bfloat16 &operator*=(bfloat16);
  bfloat16 &operator/=(bfloat16);
};
bfloat16 operator-(bfloat16);
}  // namespace ext::oneapi
}  // namespace sycl
