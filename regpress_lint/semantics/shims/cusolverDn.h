// Handles only: what the library does is done on the host.
#pragma once
#include <regpress_cuda.h>
typedef struct cusolverDnContext *cusolverDnHandle_t;
enum cusolverStatus_t : int {};
extern const cusolverStatus_t CUSOLVER_STATUS_SUCCESS;
