// Cooperative groups, for CUDA and HIP.
#pragma once
#include <regpress_gpu.h>
REGPRESS_BEGIN
namespace cooperative_groups {
struct REGPRESS_UNSIZED thread_group {
  void sync() const;
  unsigned long long size() const;
  unsigned long long num_threads() const;
  unsigned long long thread_rank() const;
  bool is_valid() const;
};
struct REGPRESS_UNSIZED thread_block : thread_group {
  static void sync();
  static unsigned size();
  static unsigned num_threads();
  static unsigned thread_rank();
  static dim3 group_index();
  static dim3 thread_index();
  static dim3 group_dim();
  static dim3 dim_threads();
};
struct REGPRESS_UNSIZED grid_group : thread_group {
  void sync() const;
  unsigned long long thread_rank() const;
  unsigned long long size() const;
  unsigned long long num_threads() const;
  unsigned long long block_rank() const;
  unsigned long long num_blocks() const;
  dim3 group_dim() const;
  dim3 block_index() const;
  dim3 dim_blocks() const;
};
struct REGPRESS_UNSIZED multi_grid_group : thread_group {
  unsigned grid_rank() const;
  unsigned num_grids() const;
};
struct REGPRESS_UNSIZED cluster_group : thread_group {
  static void sync();
  static unsigned block_rank();
  static unsigned thread_rank();
  static unsigned num_blocks();
  static unsigned num_threads();
  static dim3 block_index();
  static dim3 dim_blocks();
  template <typename T>
  T *map_shared_rank(T *, int) const;
  static void barrier_arrive();
  static void barrier_wait();
};
struct REGPRESS_UNSIZED regpress_lanes : thread_group {
  unsigned size() const;
  unsigned num_threads() const;
  unsigned thread_rank() const;
  unsigned meta_group_rank() const;
  unsigned meta_group_size() const;
  template <typename T, typename L>
  T shfl(T, L) const;
  template <typename T, typename L>
  T shfl_up(T, L) const;
  template <typename T, typename L>
  T shfl_down(T, L) const;
  template <typename T, typename L>
  T shfl_xor(T, L) const;
  int any(int) const;
  int all(int) const;
  REGPRESS_LANES ballot(int) const;
  template <typename T>
  REGPRESS_LANES match_any(T) const;
  template <typename T>
  REGPRESS_LANES match_all(T, int &) const;
};
struct REGPRESS_UNSIZED coalesced_group : regpress_lanes {};
template <unsigned Size, typename Parent = void>
struct REGPRESS_UNSIZED thread_block_tile : regpress_lanes {
  thread_block_tile() = default;
  template <typename Other>
  thread_block_tile(const thread_block_tile<Size, Other> &);
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
};
template <unsigned Size>
struct block_tile_memory;  // its size is the vendor's business
thread_block this_thread_block();
template <unsigned Size>
thread_block this_thread_block(block_tile_memory<Size> &);
grid_group this_grid();
multi_grid_group this_multi_grid();
cluster_group this_cluster();
coalesced_group coalesced_threads();
template <unsigned Size, typename G>
thread_block_tile<Size, G> tiled_partition(const G &);
template <typename G>
thread_group tiled_partition(const G &, unsigned);
template <typename G>
coalesced_group binary_partition(const G &, bool);
template <typename G, typename T>
coalesced_group labeled_partition(const G &, T);
template <typename G>
void sync(const G &);
template <typename G>
unsigned long long thread_rank(const G &);
template <typename G>
unsigned long long group_size(const G &);
template <typename T = void>
struct plus {
  template <typename U>
  U operator()(U, U) const;
};
template <typename T = void>
struct less {
  template <typename U>
  U operator()(U, U) const;
};
template <typename T = void>
struct greater {
  template <typename U>
  U operator()(U, U) const;
};
template <typename T = void>
struct bit_and : plus<T> {};
template <typename T = void>
struct bit_or : plus<T> {};
template <typename T = void>
struct bit_xor : plus<T> {};
template <typename G, typename T, typename F>
T reduce(const G &, T, F &&);
template <typename G, typename T, typename F>
T inclusive_scan(const G &, T, F &&);
template <typename G, typename T>
T inclusive_scan(const G &, T);
template <typename G, typename T, typename F>
T exclusive_scan(const G &, T, F &&);
template <typename G, typename T>
T exclusive_scan(const G &, T);
template <typename G, typename... A>
void memcpy_async(const G &, A...);
template <typename G>
void wait(const G &);
template <unsigned N, typename G>
void wait_prior(const G &);
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::tiled_partition;
}  // namespace experimental
}  // namespace cooperative_groups
REGPRESS_END
