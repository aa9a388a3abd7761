#pragma once
#include <hip/hip_bf16.h>
REGPRESS_BEGIN
enum __hip_saturation_t { __HIP_NOSAT, __HIP_SATFINITE };
enum __hip_fp8_interpretation_t { __HIP_E4M3, __HIP_E5M2, __HIP_E4M3_FNUZ, __HIP_E5M2_FNUZ };
typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;
#define REGPRESS_FP8_TYPE(name, storage, wide) \
  struct name {                                \
    storage __x;                               \
    name() = default;                          \
    template <typename T>                      \
    explicit name(T);                          \
    explicit operator wide() const;            \
  };
#define REGPRESS_FP8(kind)                                                     \
  REGPRESS_FP8_TYPE(__hip_fp8_##kind, __hip_fp8_storage_t, float)              \
  REGPRESS_FP8_TYPE(__hip_fp8x2_##kind, __hip_fp8x2_storage_t, float2)         \
  REGPRESS_FP8_TYPE(__hip_fp8x4_##kind, __hip_fp8x4_storage_t, float4)
REGPRESS_FP8(e4m3)
REGPRESS_FP8(e5m2)
REGPRESS_FP8(e4m3_fnuz)
REGPRESS_FP8(e5m2_fnuz)
__hip_fp8_storage_t __hip_cvt_float_to_fp8(float, __hip_saturation_t, __hip_fp8_interpretation_t);
__hip_fp8_storage_t __hip_cvt_double_to_fp8(double, __hip_saturation_t, __hip_fp8_interpretation_t);
__hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(__half_raw, __hip_saturation_t, __hip_fp8_interpretation_t);
__hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(float2, __hip_saturation_t, __hip_fp8_interpretation_t);
__half_raw __hip_cvt_fp8_to_halfraw(__hip_fp8_storage_t, __hip_fp8_interpretation_t);
REGPRESS_END
