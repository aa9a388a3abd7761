// Handles only: what the library does is done on the host.
#pragma once
#include <hip/hip_complex.h>
typedef struct hipfftHandle_t *hipfftHandle;
typedef float hipfftReal;
typedef double hipfftDoubleReal;
typedef hipComplex hipfftComplex;
typedef hipDoubleComplex hipfftDoubleComplex;
enum hipfftResult : int {};
extern const hipfftResult HIPFFT_SUCCESS;
