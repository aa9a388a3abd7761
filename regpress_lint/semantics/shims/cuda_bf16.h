#pragma once
#include <cuda_fp16.h>
REGPRESS_BEGIN
REGPRESS_NARROW_TYPES(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, bfloat_bits, bfloat_value)
REGPRESS_NARROW_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
REGPRESS_BFLOAT_CONVERSIONS(__nv_bfloat16, __nv_bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
REGPRESS_END
