// SYCL: buffers, accessors, images and samplers.
#pragma once
#include <regpress_sycl_devices.h>

namespace sycl {
// ------------------------------------------------------------------------------------- buffers and accessors
template <typename T>
class buffer_allocator : public std::allocator<T> {};
template <typename T, int D, access_mode M, target G, access::placeholder P>
class REGPRESS_UNSIZED accessor;
template <typename T, int D, access_mode M>
class REGPRESS_UNSIZED host_accessor;
template <typename T, int D = 1, typename A = buffer_allocator<std::remove_const_t<T>>>
class REGPRESS_UNSIZED buffer {
 public:
  using value_type = T;
  using allocator_type = A;
  static constexpr int dimensions = D;
  buffer(const range<D> &, const property_list & = {});
  buffer(T *, const range<D> &, const property_list & = {});
  buffer(const T *, const range<D> &, const property_list & = {});
  template <typename U>
  buffer(const std::shared_ptr<U> &, const range<D> &, const property_list & = {});
  template <typename C, typename = decltype(std::declval<C &>().data())>
  buffer(C &, const property_list & = {});
  template <typename I, typename = decltype(*std::declval<I>())>
  buffer(I, I, const property_list & = {});
  buffer(buffer &, const id<D> &, const range<D> &);
  template <access_mode M = access_mode::read_write, target G = target::device, typename... R>
  accessor<T, D, M, G, access::placeholder::false_t> get_access(handler &, R...);
  template <access_mode M>
  host_accessor<T, D, M> get_access();
  template <typename... R>
  accessor<T, D, access_mode::read_write, target::device, access::placeholder::false_t> get_access(handler &, R...);
  template <typename... R>
  host_accessor<T, D, access_mode::read_write> get_host_access(R...);
  range<D> get_range() const;
  size_t get_count() const;
  size_t get_size() const;
  size_t size() const;
  size_t byte_size() const;
  void set_final_data(std::nullptr_t);
  template <typename O>
  void set_final_data(O);
  void set_write_back(bool = true);
  bool is_sub_buffer() const;
  template <typename U, int E>
  buffer<U, E> reinterpret(range<E>) const;
  template <typename U>
  buffer<U, 1> reinterpret() const;
};
template <typename T, int D, typename... R>
buffer(const T *, const range<D> &, R...) -> buffer<T, D>;
template <typename T, int D, typename... R>
buffer(T *, const range<D> &, R...) -> buffer<T, D>;
template <typename C, typename... R, typename = decltype(std::declval<C &>().data())>
buffer(C &, R...) -> buffer<typename C::value_type, 1>;
template <typename I, typename = decltype(*std::declval<I>())>
buffer(I, I) -> buffer<std::remove_reference_t<decltype(*std::declval<I>())>, 1>;

// What `a[i]` of an accessor with more than one dimension gives.
template <typename T, int D>
struct regpress_row {
  decltype(auto) operator[](size_t) const;
};
template <typename T, int D>
using regpress_below = std::conditional_t<D == 1, T &, regpress_row<T, D - 1>>;
template <typename T>
struct regpress_row<T, 1> {
  T &operator[](size_t) const;
};
template <typename T>
struct regpress_row<T, 2> {
  regpress_row<T, 1> operator[](size_t) const;
};
template <typename T, int D, access::address_space S>
class REGPRESS_UNSIZED regpress_accessor {
 public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using iterator = T *;
  template <typename I, typename = std::enable_if_t<std::is_convertible_v<I, size_t> && !std::is_same_v<I, id<D>>>>
  regpress_below<T, D> operator[](const I &) const;
  T &operator[](const id<D> &) const;
  operator T &() const;
  template <access::decorated E>
  operator multi_ptr<T, S, E>() const;
  T *begin() const;
  T *end() const;
  range<D> get_range() const;
  id<D> get_offset() const;
  size_t size() const;
  size_t get_count() const;
  size_t get_size() const;
  size_t byte_size() const;
  bool empty() const;
  multi_ptr<T, S> get_pointer() const;
  template <access::decorated E>
  multi_ptr<T, S, E> get_multi_ptr() const;
};
template <typename T, access_mode M>
using regpress_element = std::conditional_t<M == access_mode::read, const T, T>;
template <typename T, int D = 1, access_mode M = access_mode::read_write, target G = target::device,
          access::placeholder P = access::placeholder::false_t>
class REGPRESS_UNSIZED accessor
    : public regpress_accessor<regpress_element<T, M>, D,
                               G == target::local ? access::address_space::local_space
                                                  : access::address_space::global_space> {
 public:
  accessor();
  template <typename A, typename... R>
  accessor(A &&, R &&...);
};
// An accessor of SYCL 1.2.1 for atomics.
template <typename T, int D, target G, access::placeholder P>
class REGPRESS_UNSIZED accessor<T, D, access_mode::atomic, G, P> {
 public:
  template <typename A, typename... R>
  accessor(A &&, R &&...);
  template <typename I>
  atomic<T, G == target::local ? access::address_space::local_space : access::address_space::global_space> operator[](
      const I &) const;
};
template <typename T, int D, typename A, typename... R>
accessor(buffer<T, D, A> &, R...) -> accessor<T, D, access_mode::read_write>;
template <typename T, int D, typename A, access_mode M, typename... R>
accessor(buffer<T, D, A> &, mode_tag_t<M>, R...) -> accessor<T, D, M>;
template <typename T, int D, typename A, access_mode M, typename... R>
accessor(buffer<T, D, A> &, handler &, mode_tag_t<M>, R...) -> accessor<T, D, M>;
template <typename T, int D, typename A, access_mode M, typename... R>
accessor(buffer<T, D, A> &, handler &, range<D>, mode_tag_t<M>, R...) -> accessor<T, D, M>;
template <typename T, int D, typename A, access_mode M, typename... R>
accessor(buffer<T, D, A> &, handler &, range<D>, id<D>, mode_tag_t<M>, R...) -> accessor<T, D, M>;
template <typename T, int D, typename A, access_mode M, target G, typename... R>
accessor(buffer<T, D, A> &, handler &, mode_target_tag_t<M, G>, R...) -> accessor<T, D, M, G>;
template <typename T, int D = 1>
class REGPRESS_UNSIZED local_accessor : public regpress_accessor<T, D, access::address_space::local_space> {
 public:
  local_accessor();
  local_accessor(range<D>, handler &, const property_list & = {});
  template <typename = void>
  explicit local_accessor(handler &, const property_list & = {});
};
template <typename T>
class REGPRESS_UNSIZED local_accessor<T, 0> {
 public:
  explicit local_accessor(handler &, const property_list & = {});
  operator T &() const;
  const local_accessor &operator=(const T &) const;
  template <access::decorated E>
  multi_ptr<T, access::address_space::local_space, E> get_multi_ptr() const;
  multi_ptr<T, access::address_space::local_space> get_pointer() const;
};
template <typename T, int D = 1, access_mode M = access_mode::read_write>
class REGPRESS_UNSIZED host_accessor
    : public regpress_accessor<regpress_element<T, M>, D, access::address_space::global_space> {
 public:
  template <typename A, typename... R>
  host_accessor(A &&, R &&...);
};
template <typename T, int D, typename A, typename... R>
host_accessor(buffer<T, D, A> &, R...) -> host_accessor<T, D, access_mode::read_write>;
template <typename T, int D, typename A, access_mode M, typename... R>
host_accessor(buffer<T, D, A> &, mode_tag_t<M>, R...) -> host_accessor<T, D, M>;

// ------------------------------------------------------------------------------------- images
enum class image_channel_order { a, r, rx, rg, rgx, ra, rgb, rgbx, rgba, argb, bgra, intensity, luminance, abgr };
enum class image_channel_type {
  snorm_int8, snorm_int16, unorm_int8, unorm_int16, unorm_short_565, unorm_short_555, unorm_int_101010, signed_int8,
  signed_int16, signed_int32, unsigned_int8, unsigned_int16, unsigned_int32, fp16, fp32
};
enum class addressing_mode { mirrored_repeat, repeat, clamp_to_edge, clamp, none };
enum class filtering_mode { nearest, linear };
enum class coordinate_normalization_mode { normalized, unnormalized };
class REGPRESS_UNSIZED sampler {
 public:
  sampler(coordinate_normalization_mode, addressing_mode, filtering_mode, const property_list & = {});
};
template <int D = 1, typename A = std::allocator<byte>>
class REGPRESS_UNSIZED image {
 public:
  template <typename... R>
  image(R &&...);
  template <typename T, access_mode M, typename... R>
  accessor<T, D, M, target::image, access::placeholder::false_t> get_access(handler &);
};
template <typename T, int D, access_mode M, access::placeholder P>
class REGPRESS_UNSIZED accessor<T, D, M, target::image, P> {
 public:
  template <typename A, typename... R>
  accessor(A &&, R &&...);
  template <typename C, typename... S>
  T read(const C &, S...) const;
  template <typename C>
  void write(const C &, const T &) const;
};
}  // namespace sycl
