#pragma once
#include <regpress_cuda.h>
REGPRESS_BEGIN
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define REGPRESS_COMPLEX(type, real, make, f) \
  real cuCreal##f(type);                      \
  real cuCimag##f(type);                      \
  real cuCabs##f(type);                       \
  type cuConj##f(type);                       \
  type cuCadd##f(type, type);                 \
  type cuCsub##f(type, type);                 \
  type cuCmul##f(type, type);                 \
  type cuCdiv##f(type, type);                 \
  type cuCfma##f(type, type, type);           \
  type make(real, real);
REGPRESS_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f)
REGPRESS_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, )
cuComplex make_cuComplex(float, float);
cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex);
cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex);
REGPRESS_END
