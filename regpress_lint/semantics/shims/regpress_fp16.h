// __half and __half2, the same in CUDA and HIP.
#pragma once
#include <regpress_half.h>
REGPRESS_BEGIN
REGPRESS_NARROW_TYPES(__half, __half2, __half_raw, half_bits, half_value)
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};
REGPRESS_NARROW_FUNCTIONS(__half, __half2)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
__half __float2half(float);
__half __float2half_rn(float);
__half __float2half_rz(float);
__half __float2half_ru(float);
__half __float2half_rd(float);
__half __double2half(double);
float __half2float(__half);
__half2 __float2half2_rn(float);
__half2 __floats2half2_rn(float, float);
__half2 __float22half2_rn(float2);
float2 __half22float2(__half2);
float __low2float(__half2);
float __high2float(__half2);
__half __low2half(__half2);
__half __high2half(__half2);
__half2 __low2half2(__half2);
__half2 __high2half2(__half2);
__half2 __lows2half2(__half2, __half2);
__half2 __highs2half2(__half2, __half2);
__half2 __lowhigh2highlow(__half2);
__half2 __half2half2(__half);
__half2 __halves2half2(__half, __half);
__half2 make_half2(__half, __half);
__half __ushort_as_half(unsigned short);
__half __short_as_half(short);
unsigned short __half_as_ushort(__half);
short __half_as_short(__half);
#define REGPRESS_HALF_INTEGER(type, name) \
  type __half2##name##_rn(__half);        \
  type __half2##name##_rz(__half);        \
  type __half2##name##_rd(__half);        \
  type __half2##name##_ru(__half);        \
  __half __##name##2half_rn(type);        \
  __half __##name##2half_rz(type);
REGPRESS_HALF_INTEGER(int, int)
REGPRESS_HALF_INTEGER(unsigned, uint)
REGPRESS_HALF_INTEGER(short, short)
REGPRESS_HALF_INTEGER(unsigned short, ushort)
REGPRESS_HALF_INTEGER(long long, ll)
REGPRESS_HALF_INTEGER(unsigned long long, ull)
REGPRESS_END
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
