// CUDA's vector types: plain structures; two and four lanes are aligned to their size, up to 16 bytes.
#pragma once
#include <regpress_common.h>
REGPRESS_BEGIN
#define REGPRESS_VECTOR(name, type, align2, align4)                                                          \
  struct name##1 {                                                                                           \
    type x;                                                                                                  \
  };                                                                                                         \
  struct __attribute__((aligned(align2))) name##2 {                                                          \
    type x, y;                                                                                               \
  };                                                                                                         \
  struct name##3 {                                                                                           \
    type x, y, z;                                                                                            \
  };                                                                                                         \
  struct __attribute__((aligned(align4))) name##4 {                                                          \
    type x, y, z, w;                                                                                         \
  };                                                                                                         \
  constexpr name##1 make_##name##1(type x) { return {x}; }                                                   \
  constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }                                        \
  constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                             \
  constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
REGPRESS_VECTOR(char, signed char, 2, 4)
REGPRESS_VECTOR(uchar, unsigned char, 2, 4)
REGPRESS_VECTOR(short, short, 4, 8)
REGPRESS_VECTOR(ushort, unsigned short, 4, 8)
REGPRESS_VECTOR(int, int, 8, 16)
REGPRESS_VECTOR(uint, unsigned, 8, 16)
REGPRESS_VECTOR(long, long, 16, 16)
REGPRESS_VECTOR(ulong, unsigned long, 16, 16)
REGPRESS_VECTOR(longlong, long long, 16, 16)
REGPRESS_VECTOR(ulonglong, unsigned long long, 16, 16)
REGPRESS_VECTOR(float, float, 8, 16)
REGPRESS_VECTOR(double, double, 16, 16)
// Since CUDA 13 the alignment can be chosen by name.
#define REGPRESS_ALIGNED4(name, type, suffix, align)                      \
  struct __attribute__((aligned(align))) name##4_##suffix {               \
    type x, y, z, w;                                                      \
  };                                                                      \
  constexpr name##4_##suffix make_##name##4_##suffix(type x, type y, type z, type w) { return {x, y, z, w}; }
REGPRESS_ALIGNED4(long, long, 16a, 16)
REGPRESS_ALIGNED4(long, long, 32a, 32)
REGPRESS_ALIGNED4(ulong, unsigned long, 16a, 16)
REGPRESS_ALIGNED4(ulong, unsigned long, 32a, 32)
REGPRESS_ALIGNED4(longlong, long long, 16a, 16)
REGPRESS_ALIGNED4(longlong, long long, 32a, 32)
REGPRESS_ALIGNED4(ulonglong, unsigned long long, 16a, 16)
REGPRESS_ALIGNED4(ulonglong, unsigned long long, 32a, 32)
REGPRESS_ALIGNED4(double, double, 16a, 16)
REGPRESS_ALIGNED4(double, double, 32a, 32)
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
REGPRESS_END
