#pragma once
#include <cuda_bf16.h>
REGPRESS_BEGIN
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
#define REGPRESS_FP8(type)                                                                       \
  struct __nv_fp8_##type {                                                                       \
    __nv_fp8_storage_t __x;                                                                      \
    __nv_fp8_##type() = default;                                                                 \
    template <typename T>                                                                        \
    explicit __nv_fp8_##type(T);                                                                 \
    explicit operator float() const;                                                             \
    explicit operator double() const;                                                            \
    explicit operator __half() const;                                                            \
    explicit operator __nv_bfloat16() const;                                                     \
    explicit operator int() const;                                                               \
  };                                                                                             \
  struct __nv_fp8x2_##type {                                                                     \
    __nv_fp8x2_storage_t __x;                                                                    \
    __nv_fp8x2_##type() = default;                                                               \
    template <typename T>                                                                        \
    explicit __nv_fp8x2_##type(T);                                                               \
    explicit operator float2() const;                                                            \
    explicit operator __half2() const;                                                           \
  };                                                                                             \
  struct __nv_fp8x4_##type {                                                                     \
    __nv_fp8x4_storage_t __x;                                                                    \
    __nv_fp8x4_##type() = default;                                                               \
    template <typename T>                                                                        \
    explicit __nv_fp8x4_##type(T);                                                               \
    template <typename T>                                                                        \
    __nv_fp8x4_##type(T, T);                                                                     \
    explicit operator float4() const;                                                            \
  };
REGPRESS_FP8(e4m3)
REGPRESS_FP8(e5m2)
__nv_fp8_storage_t __nv_cvt_float_to_fp8(float, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8_storage_t __nv_cvt_double_to_fp8(double, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
__half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t, __nv_fp8_interpretation_t);
__half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t, __nv_fp8_interpretation_t);
REGPRESS_END
