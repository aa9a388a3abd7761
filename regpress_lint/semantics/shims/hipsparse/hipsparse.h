// Handles only: what the library does is done on the host.
#pragma once
#include <regpress_hip.h>
typedef void *hipsparseHandle_t;
enum hipsparseStatus_t : int {};
extern const hipsparseStatus_t HIPSPARSE_STATUS_SUCCESS;
