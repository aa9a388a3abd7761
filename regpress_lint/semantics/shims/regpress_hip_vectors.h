// HIP's vector types: a template with operators; two and four lanes are aligned to their size.
#pragma once
#include <regpress_common.h>
#include <regpress_math.h>
REGPRESS_BEGIN
namespace regpress {
template <typename T, unsigned N>
struct lanes;
template <typename T>
struct lanes<T, 1> {
  T x;
};
template <typename T>
struct __attribute__((aligned(2 * sizeof(T)))) lanes<T, 2> {
  T x, y;
};
template <typename T>
struct lanes<T, 3> {
  T x, y, z;
};
template <typename T>
struct __attribute__((aligned(4 * sizeof(T)))) lanes<T, 4> {
  T x, y, z, w;
};
}  // namespace regpress
template <typename T, unsigned N>
struct HIP_vector_type : regpress::lanes<T, N> {
  struct broadcast {};
  typedef T value_type;
  static constexpr unsigned rank = N;
  HIP_vector_type() = default;
  template <typename U, typename = typename regpress::only_if<__is_convertible_to(U, T)>::type>
  constexpr HIP_vector_type(U all) : HIP_vector_type(broadcast(), static_cast<T>(all)) {}
  template <typename... U, typename = typename regpress::only_if<sizeof...(U) == N && (N > 1)>::type>
  constexpr HIP_vector_type(U... values) : regpress::lanes<T, N>{static_cast<T>(values)...} {}
  T &operator[](size_t);
  const T &operator[](size_t) const;
  HIP_vector_type &operator++();
  HIP_vector_type operator++(int);
  HIP_vector_type &operator--();
  HIP_vector_type operator--(int);
  HIP_vector_type operator-() const;
  HIP_vector_type operator~() const;

 private:
  constexpr HIP_vector_type(broadcast, T all) : regpress::lanes<T, N>() {
    this->x = all;
    if constexpr (N > 1) this->y = all;
    if constexpr (N > 2) this->z = all;
    if constexpr (N > 3) this->w = all;
  }
};
#define REGPRESS_LANEWISE(sign)                                                                         \
  template <typename T, unsigned N>                                                                     \
  constexpr HIP_vector_type<T, N> operator sign(const HIP_vector_type<T, N> &, const HIP_vector_type<T, N> &); \
  template <typename T, unsigned N, typename U, typename = typename regpress::only_if<__is_arithmetic(U)>::type> \
  constexpr HIP_vector_type<T, N> operator sign(const HIP_vector_type<T, N> &, U);                      \
  template <typename T, unsigned N, typename U, typename = typename regpress::only_if<__is_arithmetic(U)>::type> \
  constexpr HIP_vector_type<T, N> operator sign(U, const HIP_vector_type<T, N> &);
#define REGPRESS_LANEWISE_INTO(sign)                                                                    \
  template <typename T, unsigned N>                                                                     \
  HIP_vector_type<T, N> &operator sign##=(HIP_vector_type<T, N> &, const HIP_vector_type<T, N> &);      \
  template <typename T, unsigned N, typename U, typename = typename regpress::only_if<__is_arithmetic(U)>::type> \
  HIP_vector_type<T, N> &operator sign##=(HIP_vector_type<T, N> &, U);                          \
  REGPRESS_LANEWISE(sign)
REGPRESS_LANEWISE_INTO(+)
REGPRESS_LANEWISE_INTO(-)
REGPRESS_LANEWISE_INTO(*)
REGPRESS_LANEWISE_INTO(/)
REGPRESS_LANEWISE_INTO(%)
REGPRESS_LANEWISE_INTO(&)
REGPRESS_LANEWISE_INTO(|)
REGPRESS_LANEWISE_INTO(^)
REGPRESS_LANEWISE_INTO(<<)
REGPRESS_LANEWISE_INTO(>>)
template <typename T, unsigned N>
constexpr bool operator==(const HIP_vector_type<T, N> &, const HIP_vector_type<T, N> &);
template <typename T, unsigned N>
constexpr bool operator!=(const HIP_vector_type<T, N> &, const HIP_vector_type<T, N> &);

#define REGPRESS_VECTOR(name, type)                                                                          \
  typedef HIP_vector_type<type, 1> name##1;                                                                  \
  typedef HIP_vector_type<type, 2> name##2;                                                                  \
  typedef HIP_vector_type<type, 3> name##3;                                                                  \
  typedef HIP_vector_type<type, 4> name##4;                                                                  \
  name##1 make_##name##1(type x);                                            \
  name##2 make_##name##2(type x, type y);                                 \
  name##3 make_##name##3(type x, type y, type z);                      \
  name##4 make_##name##4(type x, type y, type z, type w);
REGPRESS_VECTOR(char, char)
REGPRESS_VECTOR(uchar, unsigned char)
REGPRESS_VECTOR(short, short)
REGPRESS_VECTOR(ushort, unsigned short)
REGPRESS_VECTOR(int, int)
REGPRESS_VECTOR(uint, unsigned)
REGPRESS_VECTOR(long, long)
REGPRESS_VECTOR(ulong, unsigned long)
REGPRESS_VECTOR(longlong, long long)
REGPRESS_VECTOR(ulonglong, unsigned long long)
REGPRESS_VECTOR(float, float)
REGPRESS_VECTOR(double, double)
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(const uint3 &v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3(x, y, z); }
};
REGPRESS_END
