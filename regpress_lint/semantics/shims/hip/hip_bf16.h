#pragma once
#include <hip/hip_fp16.h>
REGPRESS_BEGIN
REGPRESS_NARROW_TYPES(__hip_bfloat16, __hip_bfloat162, __hip_bfloat16_raw, bfloat_bits, bfloat_value)
REGPRESS_NARROW_FUNCTIONS(__hip_bfloat16, __hip_bfloat162)
REGPRESS_BFLOAT_CONVERSIONS(__hip_bfloat16, __hip_bfloat162)
REGPRESS_END
