// Handles only: what the library does is done on the host.
#pragma once
#include <regpress_cuda.h>
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
enum cusparseStatus_t : int {};
extern const cusparseStatus_t CUSPARSE_STATUS_SUCCESS;
