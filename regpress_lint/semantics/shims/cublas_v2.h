// Handles only: what the library does is done on the host.
#pragma once
#include <regpress_cuda.h>
typedef struct cublasContext *cublasHandle_t;
enum cublasStatus_t : int {};
enum cublasOperation_t : int {};
extern const cublasStatus_t CUBLAS_STATUS_SUCCESS;
extern const cublasOperation_t CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C;
cublasStatus_t cublasCreate(cublasHandle_t *);
cublasStatus_t cublasDestroy(cublasHandle_t);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
