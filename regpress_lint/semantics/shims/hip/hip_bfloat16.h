#pragma once
#include <hip/hip_fp16.h>
REGPRESS_BEGIN
struct hip_bfloat16 {
  unsigned short data;
  typedef void regpress_narrow;
  hip_bfloat16() = default;
  explicit hip_bfloat16(float);
  operator float() const;
  static hip_bfloat16 round_to_bfloat16(float);
  hip_bfloat16 &operator+=(hip_bfloat16);
  hip_bfloat16 &operator-=(hip_bfloat16);
  hip_bfloat16 &operator*=(hip_bfloat16);
  hip_bfloat16 &operator/=(hip_bfloat16);
};
REGPRESS_NARROW_OPERATORS(hip_bfloat16)
REGPRESS_END
