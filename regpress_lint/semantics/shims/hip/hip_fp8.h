#pragma once
#include <hip/hip_bf16.h>
REGPRESS_BEGIN
#define REGPRESS_FP8(name)              \
  struct name {                         \
    unsigned char __x;                  \
    name() = default;                   \
    template <typename T>               \
    explicit name(T);                   \
    explicit operator float() const;    \
    explicit operator __half() const;   \
  };
REGPRESS_FP8(__hip_fp8_e4m3)
REGPRESS_FP8(__hip_fp8_e5m2)
REGPRESS_FP8(__hip_fp8_e4m3_fnuz)
REGPRESS_FP8(__hip_fp8_e5m2_fnuz)
REGPRESS_END
