// Handles only: what the library does is done on the host.
#pragma once
#include <cuComplex.h>
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
enum cufftResult : int {};
enum cufftType : int {};
extern const cufftResult CUFFT_SUCCESS;
extern const cufftType CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
