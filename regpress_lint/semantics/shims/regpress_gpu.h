// What CUDA and HIP share: qualifiers, and the device functions with the same names and types in both.
#pragma once
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <regpress_common.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __align__(bytes)
#define __grid_constant__
#define __cluster_dims__(...)
#define __cudart_builtin__
#define __device_builtin__
#define __maxnreg__(registers)
#define __noclone__
#define __HOST__ __host__
#define __DEVICE__ __device__
#define _NOINLINE_ __attribute__((noinline))

// ------------------------------------------------------------------------------------- minimum and maximum
REGPRESS_BEGIN
#define REGPRESS_MINMAX(type)                                                    \
  constexpr type min(type a, type b) noexcept { return b < a ? b : a; }          \
  constexpr type max(type a, type b) noexcept { return a < b ? b : a; }
REGPRESS_MINMAX(int)
REGPRESS_MINMAX(unsigned)
REGPRESS_MINMAX(long)
REGPRESS_MINMAX(unsigned long)
REGPRESS_MINMAX(long long)
REGPRESS_MINMAX(unsigned long long)
float min(float, float) noexcept;
float max(float, float) noexcept;
double min(double, double) noexcept;
double max(double, double) noexcept;
// The other pairs of arithmetic types: what an operator makes of them.
template <typename A, typename B>
constexpr regpress::only_if<__is_arithmetic(A) && __is_arithmetic(B) && !__is_same(A, B), decltype(A() + B())>::type min(
    A a, B b) noexcept {
  return b < a ? b : a;
}
template <typename A, typename B>
constexpr regpress::only_if<__is_arithmetic(A) && __is_arithmetic(B) && !__is_same(A, B), decltype(A() + B())>::type max(
    A a, B b) noexcept {
  return a < b ? b : a;
}
constexpr unsigned umin(unsigned a, unsigned b) noexcept { return b < a ? b : a; }
constexpr unsigned umax(unsigned a, unsigned b) noexcept { return a < b ? b : a; }
constexpr long long llmin(long long a, long long b) noexcept { return b < a ? b : a; }
constexpr long long llmax(long long a, long long b) noexcept { return a < b ? b : a; }

// ------------------------------------------------------------------------------------- math beyond <cmath>
#define REGPRESS_GPU_MATH1(name)        \
  float name##f(float) noexcept;        \
  double name(double) noexcept;         \
  float name(float) noexcept;           \
  template <typename T, typename = regpress::if_integer<T>> \
  double name(T);
REGPRESS_GPU_MATH1(rsqrt)
REGPRESS_GPU_MATH1(rcbrt)
REGPRESS_GPU_MATH1(sinpi)
REGPRESS_GPU_MATH1(cospi)
REGPRESS_GPU_MATH1(erfcx)
REGPRESS_GPU_MATH1(erfinv)
REGPRESS_GPU_MATH1(erfcinv)
REGPRESS_GPU_MATH1(normcdf)
REGPRESS_GPU_MATH1(normcdfinv)
REGPRESS_GPU_MATH1(cyl_bessel_i0)
REGPRESS_GPU_MATH1(cyl_bessel_i1)
float exp10(float) noexcept;
void sincos(float, float *, float *) noexcept;
void sincospi(double, double *, double *) noexcept;
void sincospif(float, float *, float *) noexcept;
float rhypotf(float, float) noexcept;
double rhypot(double, double) noexcept;
float norm3df(float, float, float) noexcept;
double norm3d(double, double, double) noexcept;
float rnorm3df(float, float, float) noexcept;
double rnorm3d(double, double, double) noexcept;
float norm4df(float, float, float, float) noexcept;
double norm4d(double, double, double, double) noexcept;
float rnorm4df(float, float, float, float) noexcept;
double rnorm4d(double, double, double, double) noexcept;
float fdividef(float, float) noexcept;
REGPRESS_END

#define REGPRESS_DEVICE __attribute__((device))
#define REGPRESS_ROUNDED(result, name, ...)             \
  REGPRESS_DEVICE result name##_rn(__VA_ARGS__);        \
  REGPRESS_DEVICE result name##_rz(__VA_ARGS__);        \
  REGPRESS_DEVICE result name##_ru(__VA_ARGS__);        \
  REGPRESS_DEVICE result name##_rd(__VA_ARGS__);
REGPRESS_ROUNDED(float, __fadd, float, float)
REGPRESS_ROUNDED(float, __fsub, float, float)
REGPRESS_ROUNDED(float, __fmul, float, float)
REGPRESS_ROUNDED(float, __fdiv, float, float)
REGPRESS_ROUNDED(float, __fmaf, float, float, float)
REGPRESS_ROUNDED(float, __frcp, float)
REGPRESS_ROUNDED(float, __fsqrt, float)
REGPRESS_DEVICE float __frsqrt_rn(float);
REGPRESS_ROUNDED(double, __dadd, double, double)
REGPRESS_ROUNDED(double, __dsub, double, double)
REGPRESS_ROUNDED(double, __dmul, double, double)
REGPRESS_ROUNDED(double, __ddiv, double, double)
REGPRESS_ROUNDED(double, __fma, double, double, double)
REGPRESS_ROUNDED(double, __drcp, double)
REGPRESS_ROUNDED(double, __dsqrt, double)
REGPRESS_ROUNDED(int, __float2int, float)
REGPRESS_ROUNDED(unsigned, __float2uint, float)
REGPRESS_ROUNDED(long long, __float2ll, float)
REGPRESS_ROUNDED(unsigned long long, __float2ull, float)
REGPRESS_ROUNDED(int, __double2int, double)
REGPRESS_ROUNDED(unsigned, __double2uint, double)
REGPRESS_ROUNDED(long long, __double2ll, double)
REGPRESS_ROUNDED(unsigned long long, __double2ull, double)
REGPRESS_ROUNDED(float, __double2float, double)
REGPRESS_ROUNDED(float, __int2float, int)
REGPRESS_ROUNDED(float, __uint2float, unsigned)
REGPRESS_ROUNDED(float, __ll2float, long long)
REGPRESS_ROUNDED(float, __ull2float, unsigned long long)
REGPRESS_ROUNDED(double, __ll2double, long long)
REGPRESS_ROUNDED(double, __ull2double, unsigned long long)
REGPRESS_DEVICE double __int2double_rn(int);
REGPRESS_DEVICE double __uint2double_rn(unsigned);
#define REGPRESS_FAST1(name) REGPRESS_DEVICE float name(float);
REGPRESS_FAST1(__expf)
REGPRESS_FAST1(__exp10f)
REGPRESS_FAST1(__logf)
REGPRESS_FAST1(__log2f)
REGPRESS_FAST1(__log10f)
REGPRESS_FAST1(__sinf)
REGPRESS_FAST1(__cosf)
REGPRESS_FAST1(__tanf)
REGPRESS_FAST1(__saturatef)
REGPRESS_FAST1(__tanhf)
REGPRESS_DEVICE float __powf(float, float);
REGPRESS_DEVICE float __fdividef(float, float);
REGPRESS_DEVICE void __sincosf(float, float *, float *);

// ------------------------------------------------------------------------------------- bits
REGPRESS_DEVICE int __popc(unsigned);
REGPRESS_DEVICE int __popcll(unsigned long long);
REGPRESS_DEVICE int __clz(int);
REGPRESS_DEVICE int __clzll(long long);
REGPRESS_DEVICE int __ffs(int);
REGPRESS_DEVICE int __ffsll(long long);
REGPRESS_DEVICE unsigned __brev(unsigned);
REGPRESS_DEVICE unsigned long long __brevll(unsigned long long);
REGPRESS_DEVICE unsigned __byte_perm(unsigned, unsigned, unsigned);
REGPRESS_DEVICE int __mul24(int, int);
REGPRESS_DEVICE unsigned __umul24(unsigned, unsigned);
REGPRESS_DEVICE int __mulhi(int, int);
REGPRESS_DEVICE unsigned __umulhi(unsigned, unsigned);
REGPRESS_DEVICE int mulhi(int, int);
REGPRESS_DEVICE long long __mul64hi(long long, long long);
REGPRESS_DEVICE unsigned long long __umul64hi(unsigned long long, unsigned long long);
REGPRESS_DEVICE int __hadd(int, int);
REGPRESS_DEVICE int __rhadd(int, int);
REGPRESS_DEVICE unsigned __sad(int, int, unsigned);
REGPRESS_DEVICE unsigned __usad(unsigned, unsigned, unsigned);
REGPRESS_DEVICE unsigned __funnelshift_l(unsigned, unsigned, unsigned);
REGPRESS_DEVICE unsigned __funnelshift_r(unsigned, unsigned, unsigned);
REGPRESS_DEVICE unsigned __funnelshift_lc(unsigned, unsigned, unsigned);
REGPRESS_DEVICE unsigned __funnelshift_rc(unsigned, unsigned, unsigned);
REGPRESS_DEVICE int __float_as_int(float);
REGPRESS_DEVICE unsigned __float_as_uint(float);
REGPRESS_DEVICE float __int_as_float(int);
REGPRESS_DEVICE float __uint_as_float(unsigned);
REGPRESS_DEVICE long long __double_as_longlong(double);
REGPRESS_DEVICE double __longlong_as_double(long long);
REGPRESS_DEVICE int __double2hiint(double);
REGPRESS_DEVICE int __double2loint(double);
REGPRESS_DEVICE double __hiloint2double(int, int);

// ------------------------------------------------------------------------------------- fences, barriers, traps
REGPRESS_DEVICE void __syncthreads();
REGPRESS_DEVICE int __syncthreads_count(int);
REGPRESS_DEVICE int __syncthreads_and(int);
REGPRESS_DEVICE int __syncthreads_or(int);
REGPRESS_DEVICE void __threadfence();
REGPRESS_DEVICE void __threadfence_block();
REGPRESS_DEVICE void __threadfence_system();
REGPRESS_DEVICE long long clock64();
REGPRESS_DEVICE void __trap();
REGPRESS_DEVICE void __brkpt();
REGPRESS_DEVICE void __nanosleep(unsigned);
REGPRESS_DEVICE unsigned __isGlobal(const void *);
REGPRESS_DEVICE unsigned __isShared(const void *);
REGPRESS_DEVICE size_t __cvta_generic_to_shared(const void *);
REGPRESS_DEVICE size_t __cvta_generic_to_global(const void *);

// ------------------------------------------------------------------------------------- loads and stores
#define REGPRESS_LOAD(name) \
  template <typename T>     \
  REGPRESS_DEVICE T name(const T *);
REGPRESS_LOAD(__ldg)
REGPRESS_LOAD(__ldcg)
REGPRESS_LOAD(__ldca)
REGPRESS_LOAD(__ldcs)
REGPRESS_LOAD(__ldlu)
REGPRESS_LOAD(__ldcv)
#define REGPRESS_STORE(name) \
  template <typename T>      \
  REGPRESS_DEVICE void name(T *, T);
REGPRESS_STORE(__stwb)
REGPRESS_STORE(__stcg)
REGPRESS_STORE(__stcs)
REGPRESS_STORE(__stwt)

// ------------------------------------------------------------------------------------- atomics
#define REGPRESS_ATOMIC(name, type)                \
  REGPRESS_DEVICE type name(type *, type);         \
  REGPRESS_DEVICE type name##_block(type *, type); \
  REGPRESS_DEVICE type name##_system(type *, type);
#define REGPRESS_ATOMIC_INTEGERS(name)     \
  REGPRESS_ATOMIC(name, int)               \
  REGPRESS_ATOMIC(name, unsigned)          \
  REGPRESS_ATOMIC(name, unsigned long)     \
  REGPRESS_ATOMIC(name, unsigned long long)
REGPRESS_ATOMIC_INTEGERS(atomicAdd)
REGPRESS_ATOMIC(atomicAdd, float)
REGPRESS_ATOMIC(atomicAdd, double)
REGPRESS_ATOMIC_INTEGERS(atomicSub)
REGPRESS_ATOMIC_INTEGERS(atomicExch)
REGPRESS_ATOMIC(atomicExch, float)
REGPRESS_ATOMIC(atomicExch, double)
REGPRESS_ATOMIC_INTEGERS(atomicMin)
REGPRESS_ATOMIC(atomicMin, long long)
REGPRESS_ATOMIC_INTEGERS(atomicMax)
REGPRESS_ATOMIC(atomicMax, long long)
REGPRESS_ATOMIC_INTEGERS(atomicAnd)
REGPRESS_ATOMIC_INTEGERS(atomicOr)
REGPRESS_ATOMIC_INTEGERS(atomicXor)
REGPRESS_ATOMIC(atomicInc, unsigned)
REGPRESS_ATOMIC(atomicDec, unsigned)
#define REGPRESS_CAS(type)                                     \
  REGPRESS_DEVICE type atomicCAS(type *, type, type);          \
  REGPRESS_DEVICE type atomicCAS_block(type *, type, type);    \
  REGPRESS_DEVICE type atomicCAS_system(type *, type, type);
REGPRESS_CAS(int)
REGPRESS_CAS(unsigned)
REGPRESS_CAS(unsigned short)
REGPRESS_CAS(unsigned long)
REGPRESS_CAS(unsigned long long)
