// sycl:: functions on numbers: math, integers, geometry, and the group algorithms' operations.
#pragma once
#include <regpress_sycl_types.h>

namespace sycl {
// Two operands become a vector if one is, else what an operator makes of them.
template <typename A, typename B, bool = (std::is_arithmetic_v<A> || std::is_same_v<A, half>),
          bool = (std::is_arithmetic_v<B> || std::is_same_v<B, half>)>
struct regpress_join {
  using type = A;
};
template <typename A, typename B>
struct regpress_join<A, B, true, true> {
  using type = decltype(A() + B());
};
template <typename A>
struct regpress_join<A, A, true, true> {
  using type = A;
};
template <typename A, typename B>
struct regpress_join<A, B, true, false> {
  using type = B;
};
template <typename A, typename B>
using regpress_joined = typename regpress_join<A, B>::type;
#define REGPRESS_SYCL1(name) \
  template <typename T>      \
  T name(T);
#define REGPRESS_SYCL2(name)          \
  template <typename A, typename B>   \
  regpress_joined<A, B> name(A, B);
#define REGPRESS_SYCL3(name)                                  \
  template <typename A, typename B, typename C>               \
  regpress_joined<regpress_joined<A, B>, C> name(A, B, C);
#define REGPRESS_SYCL_TEST(name)                                             \
  template <typename T>                                                      \
  std::conditional_t<std::is_class_v<T>, regpress_tested<T>, bool> name(T);
template <typename T>
struct regpress_tests {
  using type = bool;
};
template <typename T, int N>
struct regpress_tests<vec<T, N>> {
  using type = vec<regpress_truth<T>, N>;
};
template <typename T>
using regpress_tested = typename regpress_tests<T>::type;
REGPRESS_SYCL1(acos)
REGPRESS_SYCL1(acosh)
REGPRESS_SYCL1(acospi)
REGPRESS_SYCL1(asin)
REGPRESS_SYCL1(asinh)
REGPRESS_SYCL1(asinpi)
REGPRESS_SYCL1(atan)
REGPRESS_SYCL1(atanh)
REGPRESS_SYCL1(atanpi)
REGPRESS_SYCL1(cbrt)
REGPRESS_SYCL1(ceil)
REGPRESS_SYCL1(cos)
REGPRESS_SYCL1(cosh)
REGPRESS_SYCL1(cospi)
REGPRESS_SYCL1(erf)
REGPRESS_SYCL1(erfc)
REGPRESS_SYCL1(exp)
REGPRESS_SYCL1(exp2)
REGPRESS_SYCL1(exp10)
REGPRESS_SYCL1(expm1)
REGPRESS_SYCL1(fabs)
REGPRESS_SYCL1(floor)
REGPRESS_SYCL1(lgamma)
REGPRESS_SYCL1(log)
REGPRESS_SYCL1(log2)
REGPRESS_SYCL1(log10)
REGPRESS_SYCL1(log1p)
REGPRESS_SYCL1(logb)
REGPRESS_SYCL1(rint)
REGPRESS_SYCL1(round)
REGPRESS_SYCL1(rsqrt)
REGPRESS_SYCL1(sin)
REGPRESS_SYCL1(sinh)
REGPRESS_SYCL1(sinpi)
REGPRESS_SYCL1(sqrt)
REGPRESS_SYCL1(tan)
REGPRESS_SYCL1(tanh)
REGPRESS_SYCL1(tanpi)
REGPRESS_SYCL1(tgamma)
REGPRESS_SYCL1(trunc)
REGPRESS_SYCL1(sign)
REGPRESS_SYCL1(degrees)
REGPRESS_SYCL1(radians)
REGPRESS_SYCL1(abs)
REGPRESS_SYCL1(clz)
REGPRESS_SYCL1(ctz)
REGPRESS_SYCL1(popcount)
REGPRESS_SYCL2(atan2)
REGPRESS_SYCL2(atan2pi)
REGPRESS_SYCL2(copysign)
REGPRESS_SYCL2(fdim)
REGPRESS_SYCL2(fmax)
REGPRESS_SYCL2(fmin)
REGPRESS_SYCL2(fmod)
REGPRESS_SYCL2(hypot)
REGPRESS_SYCL2(maxmag)
REGPRESS_SYCL2(minmag)
REGPRESS_SYCL2(nextafter)
REGPRESS_SYCL2(pow)
REGPRESS_SYCL2(powr)
REGPRESS_SYCL2(remainder)
REGPRESS_SYCL2(step)
REGPRESS_SYCL2(min)
REGPRESS_SYCL2(max)
REGPRESS_SYCL2(abs_diff)
REGPRESS_SYCL2(add_sat)
REGPRESS_SYCL2(sub_sat)
REGPRESS_SYCL2(hadd)
REGPRESS_SYCL2(rhadd)
REGPRESS_SYCL2(mul_hi)
REGPRESS_SYCL2(mul24)
REGPRESS_SYCL2(rotate)
REGPRESS_SYCL3(fma)
REGPRESS_SYCL3(mad)
REGPRESS_SYCL3(mad24)
REGPRESS_SYCL3(mad_hi)
REGPRESS_SYCL3(mad_sat)
REGPRESS_SYCL3(clamp)
REGPRESS_SYCL3(mix)
REGPRESS_SYCL3(smoothstep)
REGPRESS_SYCL3(bitselect)
REGPRESS_SYCL_TEST(isnan)
REGPRESS_SYCL_TEST(isinf)
REGPRESS_SYCL_TEST(isfinite)
REGPRESS_SYCL_TEST(isnormal)
REGPRESS_SYCL_TEST(signbit)
template <typename T>
regpress_tested<T> isequal(T, T);
template <typename T>
regpress_tested<T> isnotequal(T, T);
template <typename T>
regpress_tested<T> isgreater(T, T);
template <typename T>
regpress_tested<T> isgreaterequal(T, T);
template <typename T>
regpress_tested<T> isless(T, T);
template <typename T>
regpress_tested<T> islessequal(T, T);
template <typename T>
int any(T);
template <typename T>
int all(T);
template <typename T, typename M>
T select(T, T, M);
template <typename T, typename I>
T pown(T, I);
template <typename T, typename I>
T rootn(T, I);
template <typename T, typename I>
T ldexp(T, I);
template <typename T, typename P>
T frexp(T, P);
template <typename T, typename P>
T modf(T, P);
template <typename T, typename P>
T fract(T, P);
template <typename T, typename P>
T sincos(T, P);
template <typename T, typename P>
T remquo(T, T, P);
template <typename T>
int ilogb(T);
float nan(unsigned);
double nan(unsigned long);
float dot(float, float);
double dot(double, double);
template <typename T, int N>
T dot(const vec<T, N> &, const vec<T, N> &);
template <typename T, int N>
T length(const vec<T, N> &);
template <typename T, int N>
T distance(const vec<T, N> &, const vec<T, N> &);
template <typename T, int N>
vec<T, N> normalize(const vec<T, N> &);
template <typename T, int N>
vec<T, N> cross(const vec<T, N> &, const vec<T, N> &);
template <typename T, int N>
T fast_length(const vec<T, N> &);
template <typename T, int N>
vec<T, N> fast_normalize(const vec<T, N> &);
#define REGPRESS_SYCL_FAST            \
  REGPRESS_SYCL1(cos)                 \
  REGPRESS_SYCL2(divide)              \
  REGPRESS_SYCL1(exp)                 \
  REGPRESS_SYCL1(exp2)                \
  REGPRESS_SYCL1(exp10)               \
  REGPRESS_SYCL1(log)                 \
  REGPRESS_SYCL1(log2)                \
  REGPRESS_SYCL1(log10)               \
  REGPRESS_SYCL2(powr)                \
  REGPRESS_SYCL1(recip)               \
  REGPRESS_SYCL1(rsqrt)               \
  REGPRESS_SYCL1(sin)                 \
  REGPRESS_SYCL1(sqrt)                \
  REGPRESS_SYCL1(tan)
namespace native {
REGPRESS_SYCL_FAST
}
namespace half_precision {
REGPRESS_SYCL_FAST
}

#define REGPRESS_SYCL_OPERATION(name)          \
  template <typename T = void>                 \
  struct name {                                \
    template <typename A, typename B>          \
    A operator()(const A &, const B &) const;  \
  };
REGPRESS_SYCL_OPERATION(plus)
REGPRESS_SYCL_OPERATION(multiplies)
REGPRESS_SYCL_OPERATION(minimum)
REGPRESS_SYCL_OPERATION(maximum)
REGPRESS_SYCL_OPERATION(bit_and)
REGPRESS_SYCL_OPERATION(bit_or)
REGPRESS_SYCL_OPERATION(bit_xor)
REGPRESS_SYCL_OPERATION(logical_and)
REGPRESS_SYCL_OPERATION(logical_or)
namespace ext::oneapi {
using sycl::bit_and;
using sycl::bit_or;
using sycl::bit_xor;
using sycl::maximum;
using sycl::minimum;
using sycl::multiplies;
using sycl::plus;
namespace experimental {
using sycl::exp2;
using sycl::tanh;
template <typename... A>
int printf(const char *, A...);
namespace native {
using sycl::exp2;
using sycl::tanh;
}  // namespace native
}  // namespace experimental
}  // namespace ext::oneapi
}  // namespace sycl
