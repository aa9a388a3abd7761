// What a source names of a library whose calls run on the host; not the library. For world_registers.py.
#pragma once
#include <cuda_runtime.h>
typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusparseMatDescr* cusparseMatDescr_t;
typedef enum { CUSPARSE_STATUS_SUCCESS } cusparseStatus_t;
typedef enum { CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE } cusparseOperation_t;
