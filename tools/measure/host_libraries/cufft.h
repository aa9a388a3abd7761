// What a source names of a library whose calls run on the host; not the library. For world_registers.py.
#pragma once
#include <cuda_runtime.h>
#include <cuComplex.h>
typedef int cufftHandle;
typedef enum { CUFFT_SUCCESS } cufftResult;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuFloatComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
