// CUDA's arithmetic on the bytes or halves of a word.
#pragma once
#include <regpress_gpu.h>
#define REGPRESS_SIMD1(name)                 \
  REGPRESS_DEVICE unsigned name##2(unsigned); \
  REGPRESS_DEVICE unsigned name##4(unsigned);
#define REGPRESS_SIMD2(name)                           \
  REGPRESS_DEVICE unsigned name##2(unsigned, unsigned); \
  REGPRESS_DEVICE unsigned name##4(unsigned, unsigned);
#define REGPRESS_SIMD_COMPARE(name) \
  REGPRESS_SIMD2(__vcmp##name)      \
  REGPRESS_SIMD2(__vset##name)
REGPRESS_SIMD1(__vabs)
REGPRESS_SIMD1(__vabsss)
REGPRESS_SIMD1(__vneg)
REGPRESS_SIMD1(__vnegss)
REGPRESS_SIMD2(__vadd)
REGPRESS_SIMD2(__vaddss)
REGPRESS_SIMD2(__vaddus)
REGPRESS_SIMD2(__vsub)
REGPRESS_SIMD2(__vsubss)
REGPRESS_SIMD2(__vsubus)
REGPRESS_SIMD2(__vavgs)
REGPRESS_SIMD2(__vavgu)
REGPRESS_SIMD2(__vhaddu)
REGPRESS_SIMD2(__vabsdiffs)
REGPRESS_SIMD2(__vabsdiffu)
REGPRESS_SIMD2(__vmaxs)
REGPRESS_SIMD2(__vmaxu)
REGPRESS_SIMD2(__vmins)
REGPRESS_SIMD2(__vminu)
REGPRESS_SIMD2(__vsads)
REGPRESS_SIMD2(__vsadu)
REGPRESS_SIMD_COMPARE(eq)
REGPRESS_SIMD_COMPARE(ne)
REGPRESS_SIMD_COMPARE(ges)
REGPRESS_SIMD_COMPARE(geu)
REGPRESS_SIMD_COMPARE(gts)
REGPRESS_SIMD_COMPARE(gtu)
REGPRESS_SIMD_COMPARE(les)
REGPRESS_SIMD_COMPARE(leu)
REGPRESS_SIMD_COMPARE(lts)
REGPRESS_SIMD_COMPARE(ltu)
