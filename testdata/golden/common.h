// What CUDA, HIP and the Intel route spell differently; everything else in this folder is the same for all of them.
#pragma once

#if defined(__HIP__) || defined(__HIPCC__)
#include <hip/hip_runtime.h>
#define SHFL(value, lane) __shfl(value, lane)
#define SHFL_DOWN(value, by) __shfl_down(value, by)
#define SHFL_UP(value, by) __shfl_up(value, by)
#define SHFL_XOR(value, mask) __shfl_xor(value, mask)
#define BALLOT(condition) static_cast<unsigned>(__ballot(condition))
#else
#define SHFL(value, lane) __shfl_sync(0xffffffffu, value, lane)
#define SHFL_DOWN(value, by) __shfl_down_sync(0xffffffffu, value, by)
#define SHFL_UP(value, by) __shfl_up_sync(0xffffffffu, value, by)
#define SHFL_XOR(value, mask) __shfl_xor_sync(0xffffffffu, value, mask)
#define BALLOT(condition) __ballot_sync(0xffffffffu, condition)
#endif

#define LANES 32
