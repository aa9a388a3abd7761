#pragma once
#include <regpress_hip.h>
REGPRESS_BEGIN
typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;
#define REGPRESS_COMPLEX(type, real, make, f) \
  real hipCreal##f(type);                      \
  real hipCimag##f(type);                      \
  real hipCabs##f(type);                       \
  type hipConj##f(type);                       \
  type hipCadd##f(type, type);                 \
  type hipCsub##f(type, type);                 \
  type hipCmul##f(type, type);                 \
  type hipCdiv##f(type, type);                 \
  type hipCfma##f(type, type, type);           \
  type make(real, real);
REGPRESS_COMPLEX(hipFloatComplex, float, make_hipFloatComplex, f)
REGPRESS_COMPLEX(hipDoubleComplex, double, make_hipDoubleComplex, )
hipComplex make_hipComplex(float, float);
hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex);
hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex);
REGPRESS_END
