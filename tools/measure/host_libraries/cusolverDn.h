// What a source names of a library whose calls run on the host; not the library. For world_registers.py.
#pragma once
#include <cuda_runtime.h>
#include <cublas_v2.h>
typedef struct cusolverDnContext* cusolverDnHandle_t;
typedef enum { CUSOLVER_STATUS_SUCCESS } cusolverStatus_t;
