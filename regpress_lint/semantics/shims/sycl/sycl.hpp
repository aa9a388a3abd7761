#pragma once
#include <regpress_sycl_host.h>
#define SYCL_LANGUAGE_VERSION 202012
#define SYCL_IMPLEMENTATION_ONEAPI 1
#define SYCL_EXTERNAL

namespace sycl::ext::oneapi {
template <typename T, typename G>
multi_ptr<T, access::address_space::local_space, access::decorated::legacy> group_local_memory_for_overwrite(const G &);
template <typename T, typename G, typename... A>
multi_ptr<T, access::address_space::local_space, access::decorated::legacy> group_local_memory(const G &, A &&...);
struct REGPRESS_UNSIZED sub_group_mask {
  bool operator[](id<1>) const;
  uint32_t count() const;
  uint32_t size() const;
  bool any() const;
  bool all() const;
  bool none() const;
  id<1> find_low() const;
  id<1> find_high() const;
  template <typename T>
  void extract_bits(T &, id<1> = 0) const;
};
template <typename G>
sub_group_mask group_ballot(const G &, bool = true);
template <typename A, typename B, typename C>
int dot_acc(A, B, C);
namespace info::device {
REGPRESS_INFO(num_compute_units, uint32_t)
}
enum class peer_access { access_supported, atomics_supported };
namespace property::queue {
struct priority_low {};
struct priority_normal {};
struct priority_high {};
struct discard_events {};
}  // namespace property::queue
namespace this_work_item {
template <int D>
nd_item<D> get_nd_item();
template <int D>
group<D> get_work_group();
sub_group get_sub_group();
}  // namespace this_work_item
namespace experimental {
using ext::oneapi::this_work_item::get_nd_item;
template <int D>
nd_item<D> this_nd_item();
template <int D>
item<D> this_item();
sub_group this_sub_group();
struct root_group_tag {};
template <typename T>
class REGPRESS_UNSIZED device_global {
 public:
  template <typename... A>
  device_global(A &&...);
  operator T &() const;
  T &get() const;
  T *operator->() const;
  template <typename I>
  decltype(auto) operator[](I at) const {
    return get()[at];
  }
  const device_global &operator=(const T &) const;
};
template <size_t N>
struct sub_group_size_key {};
template <size_t N>
inline constexpr sub_group_size_key<N> sub_group_size{};
template <size_t... N>
inline constexpr sub_group_size_key<0> work_group_size{};
class REGPRESS_UNSIZED properties {
 public:
  template <typename... P>
  properties(P...);
};
namespace this_kernel {
sub_group get_opportunistic_group();
}
namespace this_work_item {
sub_group get_opportunistic_group();
}
template <typename G, typename T, typename F>
T reduce_over_group(const G &, T, F);
namespace cuda {
template <typename T>
T ldg(const T *);
}
namespace matrix {
enum class use { a, b, accumulator };
enum class layout { row_major, col_major, dynamic };
namespace precision {
class tf32 {};
}
template <typename G, typename T, use U, size_t R, size_t C, layout L = layout::dynamic>
struct REGPRESS_UNSIZED joint_matrix {};
template <typename... A>
void joint_matrix_load(A &&...);
template <typename... A>
void joint_matrix_store(A &&...);
template <typename... A>
void joint_matrix_mad(A &&...);
template <typename... A>
void joint_matrix_fill(A &&...);
template <typename... A>
void joint_matrix_apply(A &&...);
}  // namespace matrix
}  // namespace experimental
}  // namespace sycl::ext::oneapi
namespace sycl::ext::intel::experimental {}
namespace sycl::ext::intel::property::queue {
struct no_immediate_command_list {};
struct immediate_command_list {};
}  // namespace sycl::ext::intel::property::queue
// The name of SYCL 1.2.1.
namespace cl {
namespace sycl = ::sycl;
}
