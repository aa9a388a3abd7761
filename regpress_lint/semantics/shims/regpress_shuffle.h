// Warp functions. REGPRESS_LANES is the type of a mask of lanes: 32 bits in CUDA, 64 in HIP.
#pragma once
#include <regpress_gpu.h>

extern REGPRESS_DEVICE const int warpSize;
#define REGPRESS_SHUFFLE(name, lane)                                     \
  template <typename T>                                                  \
  REGPRESS_DEVICE T name##_sync(unsigned long long, T, lane, int = 0);   \
  template <typename T>                                                  \
  REGPRESS_DEVICE T name(T, lane, int = 0);
REGPRESS_SHUFFLE(__shfl, int)
REGPRESS_SHUFFLE(__shfl_up, unsigned)
REGPRESS_SHUFFLE(__shfl_down, unsigned)
REGPRESS_SHUFFLE(__shfl_xor, int)
REGPRESS_DEVICE REGPRESS_LANES __ballot_sync(unsigned long long, int);
REGPRESS_DEVICE int __any_sync(unsigned long long, int);
REGPRESS_DEVICE int __all_sync(unsigned long long, int);
REGPRESS_DEVICE REGPRESS_LANES __ballot(int);
REGPRESS_DEVICE int __any(int);
REGPRESS_DEVICE int __all(int);
REGPRESS_DEVICE REGPRESS_LANES __activemask();
template <typename T>
REGPRESS_DEVICE REGPRESS_LANES __match_any_sync(unsigned long long, T);
template <typename T>
REGPRESS_DEVICE REGPRESS_LANES __match_all_sync(unsigned long long, T, int *);
template <typename T>
REGPRESS_DEVICE REGPRESS_LANES __match_any(T);
REGPRESS_DEVICE void __syncwarp(unsigned long long = ~0ull);
#define REGPRESS_WARP_REDUCE(name) \
  template <typename T>            \
  REGPRESS_DEVICE T name(unsigned long long, T);
REGPRESS_WARP_REDUCE(__reduce_add_sync)
REGPRESS_WARP_REDUCE(__reduce_min_sync)
REGPRESS_WARP_REDUCE(__reduce_max_sync)
REGPRESS_WARP_REDUCE(__reduce_and_sync)
REGPRESS_WARP_REDUCE(__reduce_or_sync)
REGPRESS_WARP_REDUCE(__reduce_xor_sync)
