// Handles only: what the library does is done on the host.
#pragma once
#include <regpress_hip.h>
typedef void *hipblasHandle_t;
enum hipblasStatus_t : int {};
enum hipblasOperation_t : int {};
extern const hipblasStatus_t HIPBLAS_STATUS_SUCCESS;
extern const hipblasOperation_t HIPBLAS_OP_N, HIPBLAS_OP_T, HIPBLAS_OP_C;
hipblasStatus_t hipblasCreate(hipblasHandle_t *);
hipblasStatus_t hipblasDestroy(hipblasHandle_t);
