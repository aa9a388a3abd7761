#pragma once
// The complex numbers of CUDA and HIP, which differ in a prefix.
#define REGPRESS_COMPLEX_OPERATIONS(prefix, type, real, f) \
  real prefix##Creal##f(type);                             \
  real prefix##Cimag##f(type);                             \
  real prefix##Cabs##f(type);                              \
  type prefix##Conj##f(type);                              \
  type prefix##Cadd##f(type, type);                        \
  type prefix##Csub##f(type, type);                        \
  type prefix##Cmul##f(type, type);                        \
  type prefix##Cdiv##f(type, type);                        \
  type prefix##Cfma##f(type, type, type);                  \
  type make_##type(real, real);
#define REGPRESS_COMPLEX(prefix)                                                         \
  typedef float2 prefix##FloatComplex;                                                   \
  typedef double2 prefix##DoubleComplex;                                                 \
  typedef prefix##FloatComplex prefix##Complex;                                          \
  REGPRESS_COMPLEX_OPERATIONS(prefix, prefix##FloatComplex, float, f)                    \
  REGPRESS_COMPLEX_OPERATIONS(prefix, prefix##DoubleComplex, double, )                   \
  prefix##Complex make_##prefix##Complex(float, float);                                  \
  prefix##DoubleComplex prefix##ComplexFloatToDouble(prefix##FloatComplex);              \
  prefix##FloatComplex prefix##ComplexDoubleToFloat(prefix##DoubleComplex);
