// The math functions for float, double and long double, and for integers as double, in the global namespace.
#pragma once
#include <regpress_common.h>

REGPRESS_BEGIN
namespace regpress {
template <bool, typename T = void>
struct only_if {};
template <typename T>
struct only_if<true, T> {
  typedef T type;
};
template <typename T>
using if_integer = typename only_if<__is_integral(T), T>::type;
// What two arithmetic types become together: an integer counts as double.
template <typename T, bool = __is_integral(T)>
struct as_floating {
  typedef double type;
};
template <typename T>
struct as_floating<T, false> {
  typedef T type;
};
template <typename A, typename B>
using mixed = typename only_if<
    __is_arithmetic(A) && __is_arithmetic(B) && !(__is_same(A, B) && __is_floating_point(A)),
    decltype(typename as_floating<A>::type() + typename as_floating<B>::type())>::type;
template <typename A, typename B, typename C>
using mixed3 = typename only_if<
    __is_arithmetic(A) && __is_arithmetic(B) && __is_arithmetic(C) &&
        !(__is_same(A, B) && __is_same(A, C) && __is_floating_point(A)),
    decltype(typename as_floating<A>::type() + typename as_floating<B>::type() + typename as_floating<C>::type())>::type;
}  // namespace regpress

#define REGPRESS_MATH1(result_f, result_d, result_l, name) \
  extern "C" result_d name(double) noexcept;               \
  extern "C" result_f name##f(float) noexcept;             \
  extern "C" result_l name##l(long double) noexcept;       \
  result_f name(float) noexcept;                           \
  result_l name(long double) noexcept;                     \
  template <typename T, typename = regpress::if_integer<T>> \
  result_d name(T);
#define REGPRESS_MATH1_SAME(name) REGPRESS_MATH1(float, double, long double, name)
#define REGPRESS_MATH2(name)                                     \
  extern "C" double name(double, double) noexcept;               \
  extern "C" float name##f(float, float) noexcept;               \
  extern "C" long double name##l(long double, long double) noexcept; \
  float name(float, float) noexcept;                             \
  long double name(long double, long double) noexcept;           \
  template <typename A, typename B>                              \
  regpress::mixed<A, B> name(A, B);

REGPRESS_MATH1_SAME(acos)
REGPRESS_MATH1_SAME(acosh)
REGPRESS_MATH1_SAME(asin)
REGPRESS_MATH1_SAME(asinh)
REGPRESS_MATH1_SAME(atan)
REGPRESS_MATH1_SAME(atanh)
REGPRESS_MATH1_SAME(cbrt)
REGPRESS_MATH1_SAME(ceil)
REGPRESS_MATH1_SAME(cos)
REGPRESS_MATH1_SAME(cosh)
REGPRESS_MATH1_SAME(erf)
REGPRESS_MATH1_SAME(erfc)
REGPRESS_MATH1_SAME(exp)
REGPRESS_MATH1_SAME(exp2)
REGPRESS_MATH1_SAME(expm1)
REGPRESS_MATH1_SAME(fabs)
REGPRESS_MATH1_SAME(floor)
REGPRESS_MATH1_SAME(lgamma)
REGPRESS_MATH1_SAME(log)
REGPRESS_MATH1_SAME(log10)
REGPRESS_MATH1_SAME(log1p)
REGPRESS_MATH1_SAME(log2)
REGPRESS_MATH1_SAME(logb)
REGPRESS_MATH1_SAME(nearbyint)
REGPRESS_MATH1_SAME(rint)
REGPRESS_MATH1_SAME(round)
REGPRESS_MATH1_SAME(sin)
REGPRESS_MATH1_SAME(sinh)
REGPRESS_MATH1_SAME(sqrt)
REGPRESS_MATH1_SAME(tan)
REGPRESS_MATH1_SAME(tanh)
REGPRESS_MATH1_SAME(tgamma)
REGPRESS_MATH1_SAME(trunc)
REGPRESS_MATH1(int, int, int, ilogb)
REGPRESS_MATH1(long, long, long, lrint)
REGPRESS_MATH1(long, long, long, lround)
REGPRESS_MATH1(long long, long long, long long, llrint)
REGPRESS_MATH1(long long, long long, long long, llround)
REGPRESS_MATH2(atan2)
REGPRESS_MATH2(copysign)
REGPRESS_MATH2(fdim)
REGPRESS_MATH2(fmax)
REGPRESS_MATH2(fmin)
REGPRESS_MATH2(fmod)
REGPRESS_MATH2(hypot)
REGPRESS_MATH2(nextafter)
REGPRESS_MATH2(pow)
REGPRESS_MATH2(remainder)

extern "C" {
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
long double fmal(long double, long double, long double) noexcept;
double frexp(double, int *) noexcept;
float frexpf(float, int *) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
double modf(double, double *) noexcept;
float modff(float, float *) noexcept;
double nan(const char *) noexcept;
float nanf(const char *) noexcept;
double remquo(double, double, int *) noexcept;
float remquof(float, float, int *) noexcept;
double scalbn(double, int) noexcept;
float scalbnf(float, int) noexcept;
double scalbln(double, long) noexcept;
float scalblnf(float, long) noexcept;
double scalb(double, double) noexcept;
double cyl_bessel_i0(double) noexcept;
double cyl_bessel_i1(double) noexcept;
double j0(double) noexcept;
double j1(double) noexcept;
double jn(int, double) noexcept;
double y0(double) noexcept;
double y1(double) noexcept;
double yn(int, double) noexcept;
float cyl_bessel_i0f(float) noexcept;
float cyl_bessel_i1f(float) noexcept;
float j0f(float) noexcept;
float j1f(float) noexcept;
float jnf(int, float) noexcept;
float y0f(float) noexcept;
float y1f(float) noexcept;
float ynf(int, float) noexcept;
double exp10(double) noexcept;
float exp10f(float) noexcept;
double gamma(double) noexcept;
void sincos(double, double *, double *) noexcept;
void sincosf(float, float *, float *) noexcept;
int abs(int) noexcept;
long labs(long) noexcept;
long long llabs(long long) noexcept;
}
float fma(float, float, float) noexcept;
template <typename A, typename B, typename C>
regpress::mixed3<A, B, C> fma(A, B, C);
float frexp(float, int *) noexcept;
float ldexp(float, int) noexcept;
template <typename T, typename = regpress::if_integer<T>>
double ldexp(T, int);
float modf(float, float *) noexcept;
float remquo(float, float, int *) noexcept;
float scalbn(float, int) noexcept;
float scalbln(float, long) noexcept;
template <typename T>
regpress::mixed3<T, float, float> hypot(T, float, float);
double hypot(double, double, double) noexcept;
float hypot(float, float, float) noexcept;

long abs(long) noexcept;
long long abs(long long) noexcept;
float abs(float) noexcept;
double abs(double) noexcept;
long double abs(long double) noexcept;
__int128 abs(__int128) noexcept;

#define REGPRESS_TEST1(name)                                \
  bool name(float) noexcept;                                \
  bool name(double) noexcept;                               \
  bool name(long double) noexcept;                          \
  template <typename T, typename = regpress::if_integer<T>> \
  bool name(T);
REGPRESS_TEST1(isnan)
REGPRESS_TEST1(isinf)
REGPRESS_TEST1(isfinite)
REGPRESS_TEST1(isnormal)
REGPRESS_TEST1(signbit)
#define REGPRESS_TEST2(name)                  \
  bool name(float, float) noexcept;           \
  bool name(double, double) noexcept;         \
  template <typename A, typename B>           \
  typename regpress::only_if<sizeof(regpress::mixed<A, B>) != 0, bool>::type name(A, B);
REGPRESS_TEST2(isgreater)
REGPRESS_TEST2(isgreaterequal)
REGPRESS_TEST2(isless)
REGPRESS_TEST2(islessequal)
REGPRESS_TEST2(islessgreater)
REGPRESS_TEST2(isunordered)
int fpclassify(float) noexcept;
int fpclassify(double) noexcept;
REGPRESS_END
