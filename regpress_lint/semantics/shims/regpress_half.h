// 16-bit floating types and their pairs, for __half and both bfloat16 types: REGPRESS_NARROW(type, pair, bits).
#pragma once
#include <regpress_common.h>
#include <regpress_math.h>

// A constant of these types has its true bits.
REGPRESS_BEGIN
namespace regpress {
constexpr unsigned short half_bits(_Float16 value) { return __builtin_bit_cast(unsigned short, value); }
constexpr float half_value(unsigned short bits) { return __builtin_bit_cast(_Float16, bits); }
constexpr unsigned short bfloat_bits(float value) {
  unsigned bits = __builtin_bit_cast(unsigned, value);
  return value != value ? 0x7fff : static_cast<unsigned short>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
constexpr float bfloat_value(unsigned short bits) { return __builtin_bit_cast(float, static_cast<unsigned>(bits) << 16); }
}  // namespace regpress
REGPRESS_END

#define REGPRESS_NARROW_BINARY(type, name) type name(type, type);
#define REGPRESS_NARROW_UNARY(type, name) type name(type);
#define REGPRESS_NARROW_COMPARE(type, name) \
  bool name(type, type);                    \
  bool name##u(type, type);
#define REGPRESS_PAIR_COMPARE(type, name) \
  bool __hb##name##2(type, type);         \
  bool __hb##name##u2(type, type);        \
  type __h##name##2(type, type);          \
  type __h##name##u2(type, type);         \
  unsigned __h##name##2_mask(type, type);

#define REGPRESS_NARROW_TYPES(self, pair, raw, to_bits, to_float)                                               \
  struct __attribute__((aligned(2))) raw {                                                    \
    unsigned short x;                                                                         \
  };                                                                                          \
  struct __attribute__((aligned(2))) self {                                                   \
    unsigned short __x;                                                                       \
    self() = default;                                                                         \
    self(const raw &);                                                                        \
    template <typename T, typename = typename regpress::only_if<__is_arithmetic(T)>::type>    \
    constexpr self(T value) : __x(regpress::to_bits(value)) {}                                \
    template <typename T, typename = typename T::regpress_narrow, typename = void>            \
    explicit self(const T &);                                                                 \
    typedef void regpress_narrow;                                                             \
    constexpr operator float() const { return regpress::to_float(__x); }                      \
    operator raw() const;                                                                     \
    template <typename T, typename = typename regpress::only_if<__is_arithmetic(T)>::type>    \
    self &operator=(T);                                                                       \
    self &operator+=(const self &);                                                           \
    self &operator-=(const self &);                                                           \
    self &operator*=(const self &);                                                           \
    self &operator/=(const self &);                                                           \
    self &operator++();                                                                       \
    self operator++(int);                                                                     \
    self &operator--();                                                                       \
    self operator--(int);                                                                     \
  };                                                                                          \
  struct __attribute__((aligned(4))) pair {                                                   \
    self x, y;                                                                                \
    pair() = default;                                                                         \
    constexpr pair(const self &a, const self &b) : x(a), y(b) {}                              \
    pair &operator+=(const pair &);                                                           \
    pair &operator-=(const pair &);                                                           \
    pair &operator*=(const pair &);                                                           \
    pair &operator/=(const pair &);                                                           \
  };                                                                                          \
  REGPRESS_NARROW_OPERATORS(self)                                                             \
  REGPRESS_NARROW_OPERATORS(pair)

#define REGPRESS_NARROW_OPERATORS(type)        \
  type operator+(const type &, const type &);  \
  type operator-(const type &, const type &);  \
  type operator*(const type &, const type &);  \
  type operator/(const type &, const type &);  \
  type operator-(const type &);                \
  type operator+(const type &);                \
  bool operator==(const type &, const type &); \
  bool operator!=(const type &, const type &); \
  bool operator<(const type &, const type &);  \
  bool operator>(const type &, const type &);  \
  bool operator<=(const type &, const type &); \
  bool operator>=(const type &, const type &);

#define REGPRESS_NARROW_FUNCTIONS(type, pair)                                                    \
  REGPRESS_NARROW_BINARY(type, __hadd)                                                           \
  REGPRESS_NARROW_BINARY(type, __hsub)                                                           \
  REGPRESS_NARROW_BINARY(type, __hmul)                                                           \
  REGPRESS_NARROW_BINARY(type, __hdiv)                                                           \
  REGPRESS_NARROW_BINARY(type, __hadd_rn)                                                        \
  REGPRESS_NARROW_BINARY(type, __hsub_rn)                                                        \
  REGPRESS_NARROW_BINARY(type, __hmul_rn)                                                        \
  REGPRESS_NARROW_BINARY(type, __hadd_sat)                                                       \
  REGPRESS_NARROW_BINARY(type, __hsub_sat)                                                       \
  REGPRESS_NARROW_BINARY(type, __hmul_sat)                                                       \
  REGPRESS_NARROW_BINARY(type, __hmax)                                                           \
  REGPRESS_NARROW_BINARY(type, __hmin)                                                           \
  REGPRESS_NARROW_BINARY(type, __hmax_nan)                                                       \
  REGPRESS_NARROW_BINARY(type, __hmin_nan)                                                       \
  REGPRESS_NARROW_UNARY(type, __hneg)                                                            \
  REGPRESS_NARROW_UNARY(type, __habs)                                                            \
  type __hfma(type, type, type);                                                                 \
  type __hfma_sat(type, type, type);                                                             \
  type __hfma_relu(type, type, type);                                                            \
  REGPRESS_NARROW_COMPARE(type, __heq)                                                           \
  REGPRESS_NARROW_COMPARE(type, __hne)                                                           \
  REGPRESS_NARROW_COMPARE(type, __hlt)                                                           \
  REGPRESS_NARROW_COMPARE(type, __hle)                                                           \
  REGPRESS_NARROW_COMPARE(type, __hgt)                                                           \
  REGPRESS_NARROW_COMPARE(type, __hge)                                                           \
  bool __hisnan(type);                                                                           \
  int __hisinf(type);                                                                            \
  REGPRESS_NARROW_UNARY(type, hexp)                                                              \
  REGPRESS_NARROW_UNARY(type, hexp2)                                                             \
  REGPRESS_NARROW_UNARY(type, hexp10)                                                            \
  REGPRESS_NARROW_UNARY(type, hlog)                                                              \
  REGPRESS_NARROW_UNARY(type, hlog2)                                                             \
  REGPRESS_NARROW_UNARY(type, hlog10)                                                            \
  REGPRESS_NARROW_UNARY(type, hsqrt)                                                             \
  REGPRESS_NARROW_UNARY(type, hrsqrt)                                                            \
  REGPRESS_NARROW_UNARY(type, hrcp)                                                              \
  REGPRESS_NARROW_UNARY(type, hsin)                                                              \
  REGPRESS_NARROW_UNARY(type, hcos)                                                              \
  REGPRESS_NARROW_UNARY(type, htanh)                                                             \
  REGPRESS_NARROW_UNARY(type, hceil)                                                             \
  REGPRESS_NARROW_UNARY(type, hfloor)                                                            \
  REGPRESS_NARROW_UNARY(type, htrunc)                                                            \
  REGPRESS_NARROW_UNARY(type, hrint)                                                             \
  REGPRESS_NARROW_BINARY(pair, __hadd2)                                                          \
  REGPRESS_NARROW_BINARY(pair, __hsub2)                                                          \
  REGPRESS_NARROW_BINARY(pair, __hmul2)                                                          \
  REGPRESS_NARROW_BINARY(pair, __h2div)                                                          \
  REGPRESS_NARROW_BINARY(pair, __hadd2_rn)                                                       \
  REGPRESS_NARROW_BINARY(pair, __hmul2_rn)                                                       \
  REGPRESS_NARROW_BINARY(pair, __hadd2_sat)                                                      \
  REGPRESS_NARROW_BINARY(pair, __hmul2_sat)                                                      \
  REGPRESS_NARROW_BINARY(pair, __hmax2)                                                          \
  REGPRESS_NARROW_BINARY(pair, __hmin2)                                                          \
  REGPRESS_NARROW_UNARY(pair, __hneg2)                                                           \
  REGPRESS_NARROW_UNARY(pair, __habs2)                                                           \
  pair __hfma2(pair, pair, pair);                                                                \
  pair __hfma2_sat(pair, pair, pair);                                                            \
  pair __hfma2_relu(pair, pair, pair);                                                           \
  pair __hcmadd(pair, pair, pair);                                                               \
  pair __hisnan2(pair);                                                                          \
  REGPRESS_PAIR_COMPARE(pair, eq)                                                                \
  REGPRESS_PAIR_COMPARE(pair, ne)                                                                \
  REGPRESS_PAIR_COMPARE(pair, lt)                                                                \
  REGPRESS_PAIR_COMPARE(pair, le)                                                                \
  REGPRESS_PAIR_COMPARE(pair, gt)                                                                \
  REGPRESS_PAIR_COMPARE(pair, ge)                                                                \
  REGPRESS_NARROW_UNARY(pair, h2exp)                                                             \
  REGPRESS_NARROW_UNARY(pair, h2exp2)                                                            \
  REGPRESS_NARROW_UNARY(pair, h2log)                                                             \
  REGPRESS_NARROW_UNARY(pair, h2log2)                                                            \
  REGPRESS_NARROW_UNARY(pair, h2sqrt)                                                            \
  REGPRESS_NARROW_UNARY(pair, h2rsqrt)                                                           \
  REGPRESS_NARROW_UNARY(pair, h2rcp)                                                             \
  REGPRESS_NARROW_UNARY(pair, h2sin)                                                             \
  REGPRESS_NARROW_UNARY(pair, h2cos)                                                             \
  REGPRESS_NARROW_UNARY(pair, h2tanh)                                                            \
  REGPRESS_NARROW_UNARY(pair, h2ceil)                                                            \
  REGPRESS_NARROW_UNARY(pair, h2floor)                                                           \
  REGPRESS_NARROW_UNARY(pair, h2rint)                                                            \
  REGPRESS_NARROW_UNARY(pair, h2trunc)                                                           \
  __attribute__((device)) type atomicAdd(type *, type);                                          \
  __attribute__((device)) pair atomicAdd(pair *, pair);

// Conversions of bfloat16: `name` stands in the functions' names for the type.
#define REGPRESS_BFLOAT_CONVERSIONS(type, pair)       \
  type __float2bfloat16(float);                       \
  type __float2bfloat16_rn(float);                    \
  type __float2bfloat16_rz(float);                    \
  type __double2bfloat16(double);                     \
  float __bfloat162float(type);                       \
  pair __float2bfloat162_rn(float);                   \
  pair __floats2bfloat162_rn(float, float);           \
  pair __float22bfloat162_rn(float2);                 \
  float2 __bfloat1622float2(pair);                    \
  float __low2float(pair);                            \
  float __high2float(pair);                           \
  type __low2bfloat16(pair);                          \
  type __high2bfloat16(pair);                         \
  pair __low2bfloat162(pair);                         \
  pair __high2bfloat162(pair);                        \
  pair __lowhigh2highlow(pair);                       \
  pair __lows2bfloat162(pair, pair);                  \
  pair __highs2bfloat162(pair, pair);                 \
  pair __bfloat162bfloat162(type);                    \
  pair __halves2bfloat162(type, type);                \
  pair make_bfloat162(type, type);                    \
  type __ushort_as_bfloat16(unsigned short);          \
  type __short_as_bfloat16(short);                    \
  unsigned short __bfloat16_as_ushort(type);          \
  short __bfloat16_as_short(type);                    \
  int __bfloat162int_rn(type);                        \
  int __bfloat162int_rz(type);                        \
  type __int2bfloat16_rn(int);                        \
  type __uint2bfloat16_rn(unsigned);
