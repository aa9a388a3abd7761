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
struct regpress_fragment {
  typedef T element_type;
  typedef T storage_element_type;
  enum { num_elements = N, num_storage_elements = N };
  T x[N];
};
// m x n x k = 16 16 16, 32 8 16 and 8 32 16: a and b of 16 bits hold every element twice, the sums once.
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
REGPRESS_FRAGMENTS(16, 16, 16, __nv_bfloat16, 16, 16)
REGPRESS_FRAGMENTS(16, 16, 16, signed char, 8, 8)
REGPRESS_FRAGMENTS(16, 16, 16, unsigned char, 8, 8)
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
