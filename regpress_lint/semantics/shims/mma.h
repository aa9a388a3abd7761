// Matrix fragments of a warp. A fragment is an array that the 32 lanes share; where its size is sure it is declared.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
REGPRESS_BEGIN
namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
struct u4;
struct s4;
struct b1;
}  // namespace precision
template <typename Use, int M, int N, int K, typename T, typename Layout = void>
class fragment;
template <typename T, int N>
struct __attribute__((aligned(8))) regpress_fragment {
  typedef T element_type;
  typedef T storage_element_type;
  enum { num_elements = N, num_storage_elements = N };
  T x[N];
};
// How many elements of a and of b a lane holds. Those of 16 bits are held twice, except bfloat16.
#define REGPRESS_FRAGMENTS(m, n, k, type, each_a, each_b)                                               \
  template <typename L>                                                                                 \
  class fragment<matrix_a, m, n, k, type, L> : public regpress_fragment<type, each_a> {};               \
  template <typename L>                                                                                 \
  class fragment<matrix_b, m, n, k, type, L> : public regpress_fragment<type, each_b> {};
#define REGPRESS_SUMS(m, n, k, type) \
  template <>                        \
  class fragment<accumulator, m, n, k, type> : public regpress_fragment<type, m * n / 32> {};
REGPRESS_FRAGMENTS(16, 16, 16, __half, 16, 16)
REGPRESS_FRAGMENTS(32, 8, 16, __half, 16, 16)
REGPRESS_FRAGMENTS(8, 32, 16, __half, 16, 16)
REGPRESS_SUMS(16, 16, 16, __half)
REGPRESS_SUMS(16, 16, 16, float)
REGPRESS_SUMS(16, 16, 16, int)
REGPRESS_SUMS(32, 8, 16, __half)
REGPRESS_SUMS(32, 8, 16, float)
REGPRESS_SUMS(32, 8, 16, int)
REGPRESS_SUMS(8, 32, 16, __half)
REGPRESS_SUMS(8, 32, 16, float)
REGPRESS_SUMS(8, 32, 16, int)
#define REGPRESS_NARROW_FRAGMENTS(type)             \
  REGPRESS_FRAGMENTS(16, 16, 16, type, 8, 8)        \
  REGPRESS_FRAGMENTS(32, 8, 16, type, 16, 4)        \
  REGPRESS_FRAGMENTS(8, 32, 16, type, 4, 16)
REGPRESS_NARROW_FRAGMENTS(__nv_bfloat16)
REGPRESS_NARROW_FRAGMENTS(signed char)
REGPRESS_NARROW_FRAGMENTS(unsigned char)
REGPRESS_FRAGMENTS(8, 8, 4, double, 1, 1)
REGPRESS_SUMS(8, 8, 4, double)
REGPRESS_SUMS(16, 16, 8, float)
// Held as float.
template <typename L>
class fragment<matrix_a, 16, 16, 8, precision::tf32, L> : public regpress_fragment<float, 4> {};
template <typename L>
class fragment<matrix_b, 16, 16, 8, precision::tf32, L> : public regpress_fragment<float, 4> {};
template <typename F, typename T>
__attribute__((device)) void load_matrix_sync(F &, const T *, unsigned);
template <typename F, typename T>
__attribute__((device)) void load_matrix_sync(F &, const T *, unsigned, layout_t);
template <typename T, typename F>
__attribute__((device)) void store_matrix_sync(T *, const F &, unsigned, layout_t);
template <typename F, typename T>
__attribute__((device)) void fill_fragment(F &, const T &);
template <typename D, typename A, typename B, typename C>
__attribute__((device)) void mma_sync(D &, const A &, const B &, const C &, bool = false);
__attribute__((device)) float __float_to_tf32(float);
}  // namespace wmma
}  // namespace nvcuda
REGPRESS_END
