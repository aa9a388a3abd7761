// SYCL: queues, buffers, accessors, handlers, devices and memory. A kernel is called once with the item it takes, so
// that the body of a generic lambda is instantiated too.
#pragma once
#include <regpress_sycl_items.h>

namespace sycl {
class queue;
class handler;
class device;
class context;
class platform;
class event;
class kernel_id;

class REGPRESS_UNSIZED property_list {
 public:
  template <typename... P>
  property_list(P...);
};
namespace property {
struct no_init {};
struct noinit {};
namespace queue {
struct in_order {};
struct enable_profiling {};
}  // namespace queue
namespace buffer {
struct use_host_ptr {};
struct use_mutex {
  template <typename M>
  use_mutex(M &);
};
struct context_bound {
  context_bound(const context &);
};
}  // namespace buffer
namespace image {
struct use_host_ptr {};
}
namespace reduction {
struct initialize_to_identity {};
}
}  // namespace property
inline constexpr property::no_init no_init{};
inline constexpr property::noinit noinit{};

template <access_mode M>
struct mode_tag_t {};
template <access_mode M, target T>
struct mode_target_tag_t {};
inline constexpr mode_tag_t<access_mode::read> read_only{};
inline constexpr mode_tag_t<access_mode::write> write_only{};
inline constexpr mode_tag_t<access_mode::read_write> read_write{};
inline constexpr mode_target_tag_t<access_mode::read, target::constant_buffer> read_constant{};
inline constexpr mode_target_tag_t<access_mode::read, target::host_task> read_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::write, target::host_task> write_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task> read_write_host_task{};

enum class errc { success, runtime, kernel, accessor, nd_range, event, kernel_argument, build, invalid, memory_allocation,
                  platform, profiling, feature_not_supported, kernel_not_supported, backend_mismatch };
class REGPRESS_UNSIZED exception : public std::exception {
 public:
  exception(errc, const char * = "");
  exception(errc, const std::string &);
  int code() const;
  const char *get_description() const;
};
using runtime_error = exception;
using device_error = exception;
using invalid_parameter_error = exception;
class REGPRESS_UNSIZED exception_list {
 public:
  const std::exception_ptr *begin() const;
  const std::exception_ptr *end() const;
  size_t size() const;
};
using async_handler = std::function<void(exception_list)>;
enum class backend { host, opencl, level_zero, ext_oneapi_level_zero, ext_oneapi_cuda, ext_oneapi_hip, cuda, hip, all };
enum class aspect {
  cpu, gpu, accelerator, custom, emulated, host_debuggable, fp16, fp64, atomic64, image, online_compiler, online_linker,
  queue_profiling, usm_device_allocations, usm_host_allocations, usm_atomic_host_allocations, usm_shared_allocations,
  usm_atomic_shared_allocations, usm_system_allocations, ext_intel_legacy_image, ext_oneapi_graph, ext_intel_free_memory
};
namespace usm {
enum class alloc { host, device, shared, unknown };
}

namespace info {
#define REGPRESS_INFO(name, ...)       \
  struct name {                        \
    using return_type = __VA_ARGS__;   \
  };
enum class device_type { cpu, gpu, accelerator, custom, automatic, host, all };
enum class local_mem_type { none, local, global };
enum class event_command_status { submitted, running, complete };
enum class partition_property { no_partition, partition_equally, partition_by_counts, partition_by_affinity_domain };
namespace device {
REGPRESS_INFO(name, std::string)
REGPRESS_INFO(vendor, std::string)
REGPRESS_INFO(version, std::string)
REGPRESS_INFO(driver_version, std::string)
REGPRESS_INFO(profile, std::string)
REGPRESS_INFO(extensions, std::vector<std::string>)
REGPRESS_INFO(vendor_id, uint32_t)
REGPRESS_INFO(device_type, info::device_type)
REGPRESS_INFO(max_compute_units, uint32_t)
REGPRESS_INFO(max_clock_frequency, uint32_t)
REGPRESS_INFO(max_work_group_size, size_t)
REGPRESS_INFO(max_work_item_dimensions, uint32_t)
template <int D = 3>
struct max_work_item_sizes {
  using return_type = id<D>;
};
REGPRESS_INFO(max_num_sub_groups, uint32_t)
REGPRESS_INFO(sub_group_sizes, std::vector<size_t>)
REGPRESS_INFO(global_mem_size, uint64_t)
REGPRESS_INFO(global_mem_cache_size, uint64_t)
REGPRESS_INFO(global_mem_cache_line_size, uint32_t)
REGPRESS_INFO(local_mem_size, uint64_t)
REGPRESS_INFO(local_mem_type, info::local_mem_type)
REGPRESS_INFO(max_mem_alloc_size, uint64_t)
REGPRESS_INFO(mem_base_addr_align, uint32_t)
REGPRESS_INFO(address_bits, uint32_t)
REGPRESS_INFO(native_vector_width_float, uint32_t)
REGPRESS_INFO(image_support, bool)
REGPRESS_INFO(is_available, bool)
REGPRESS_INFO(host_unified_memory, bool)
REGPRESS_INFO(error_correction_support, bool)
REGPRESS_INFO(partition_max_sub_devices, uint32_t)
REGPRESS_INFO(aspects, std::vector<aspect>)
REGPRESS_INFO(atomic_memory_scope_capabilities, std::vector<memory_scope>)
REGPRESS_INFO(atomic_memory_order_capabilities, std::vector<memory_order>)
REGPRESS_INFO(platform, sycl::platform)
}  // namespace device
namespace platform {
REGPRESS_INFO(name, std::string)
REGPRESS_INFO(vendor, std::string)
REGPRESS_INFO(version, std::string)
}  // namespace platform
namespace event_profiling {
REGPRESS_INFO(command_submit, uint64_t)
REGPRESS_INFO(command_start, uint64_t)
REGPRESS_INFO(command_end, uint64_t)
}  // namespace event_profiling
namespace event {
REGPRESS_INFO(command_execution_status, event_command_status)
}
namespace queue {
REGPRESS_INFO(device, sycl::device)
REGPRESS_INFO(context, sycl::context)
}  // namespace queue
namespace kernel_device_specific {
REGPRESS_INFO(work_group_size, size_t)
REGPRESS_INFO(max_sub_group_size, uint32_t)
REGPRESS_INFO(preferred_work_group_size_multiple, size_t)
REGPRESS_INFO(private_mem_size, size_t)
REGPRESS_INFO(ext_codeplay_num_regs, uint32_t)
}  // namespace kernel_device_specific
}  // namespace info
namespace ext::intel::info::device {
REGPRESS_INFO(memory_clock_rate, uint32_t)
REGPRESS_INFO(memory_bus_width, uint32_t)
REGPRESS_INFO(free_memory, uint64_t)
REGPRESS_INFO(gpu_eu_count, uint32_t)
REGPRESS_INFO(pci_address, std::string)
REGPRESS_INFO(device_id, uint32_t)
}  // namespace ext::intel::info::device

#define REGPRESS_GET_INFO                         \
  template <typename I>                           \
  typename I::return_type get_info() const;       \
  template <typename I>                           \
  typename I::return_type get_backend_info() const;
class REGPRESS_UNSIZED device {
 public:
  device();
  template <typename S>
  explicit device(const S &);
  REGPRESS_GET_INFO
  bool is_cpu() const;
  bool is_gpu() const;
  bool is_host() const;
  bool is_accelerator() const;
  bool has(aspect) const;
  bool has_extension(const std::string &) const;
  platform get_platform() const;
  backend get_backend() const;
  template <info::partition_property P, typename... A>
  std::vector<device> create_sub_devices(A...) const;
  static std::vector<device> get_devices(info::device_type = info::device_type::all);
  bool ext_oneapi_can_access_peer(const device &, int = 0);
  void ext_oneapi_enable_peer_access(const device &);
  void ext_oneapi_disable_peer_access(const device &);
  bool operator==(const device &) const;
  bool operator!=(const device &) const;
};
class REGPRESS_UNSIZED platform {
 public:
  platform();
  template <typename S>
  explicit platform(const S &);
  REGPRESS_GET_INFO
  std::vector<device> get_devices(info::device_type = info::device_type::all) const;
  backend get_backend() const;
  static std::vector<platform> get_platforms();
  context ext_oneapi_get_default_context() const;
};
class REGPRESS_UNSIZED context {
 public:
  template <typename... A>
  explicit context(const A &...);
  REGPRESS_GET_INFO
  std::vector<device> get_devices() const;
  platform get_platform() const;
};
class REGPRESS_UNSIZED event {
 public:
  event();
  REGPRESS_GET_INFO
  void wait();
  void wait() const;
  void wait_and_throw();
  static void wait(const std::vector<event> &);
  template <typename I>
  typename I::return_type get_profiling_info() const;
};
class REGPRESS_UNSIZED device_selector {
 public:
  virtual int operator()(const device &) const;
  device select_device() const;
};
class REGPRESS_UNSIZED default_selector : public device_selector {};
class REGPRESS_UNSIZED gpu_selector : public device_selector {};
class REGPRESS_UNSIZED cpu_selector : public device_selector {};
class REGPRESS_UNSIZED host_selector : public device_selector {};
class REGPRESS_UNSIZED accelerator_selector : public device_selector {};
int default_selector_v(const device &);
int gpu_selector_v(const device &);
int cpu_selector_v(const device &);
int accelerator_selector_v(const device &);
template <typename... A>
int aspect_selector(A...);
enum class bundle_state { input, object, executable };
class REGPRESS_UNSIZED kernel {
 public:
  template <typename I, typename... A>
  typename I::return_type get_info(const A &...) const;
};
template <bundle_state S>
class REGPRESS_UNSIZED kernel_bundle {
 public:
  kernel get_kernel(const kernel_id &) const;
};
class REGPRESS_UNSIZED kernel_id {};
template <typename K>
kernel_id get_kernel_id();
template <bundle_state S, typename... A>
kernel_bundle<S> get_kernel_bundle(const A &...);
template <typename K, bundle_state S, typename... A>
kernel_bundle<S> get_kernel_bundle(const A &...);

// ------------------------------------------------------------------------------------- buffers and accessors
template <typename T>
class buffer_allocator : public std::allocator<T> {};
template <typename T, int D, access_mode M, target G, access::placeholder P>
class accessor;
template <typename T, int D, access_mode M>
class host_accessor;
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

// ------------------------------------------------------------------------------------- reductions
template <typename T, typename F>
class REGPRESS_UNSIZED reducer {
 public:
  void combine(const T &);
  reducer &operator+=(const T &);
  reducer &operator*=(const T &);
  reducer &operator&=(const T &);
  reducer &operator|=(const T &);
  reducer &operator^=(const T &);
  reducer &operator++();
  reducer &operator[](size_t);
};
template <typename T, typename F>
class REGPRESS_UNSIZED regpress_reduction {
 public:
  using value_type = T;
};
template <typename T, int D, typename A, typename F, typename... R>
regpress_reduction<T, F> reduction(buffer<T, D, A>, handler &, F, R...);
template <typename T, int D, typename A, typename F, typename... R>
regpress_reduction<T, F> reduction(buffer<T, D, A>, handler &, const T &, F, R...);
template <typename T, typename F, typename... R>
regpress_reduction<T, F> reduction(T *, F, R...);
template <typename T, typename F, typename... R>
regpress_reduction<T, F> reduction(T *, const T &, F, R...);
class REGPRESS_UNSIZED stream {
 public:
  stream(size_t, size_t, handler &, const property_list & = {});
  template <typename T>
  const stream &operator<<(const T &) const;
};
struct regpress_stream_word {};
inline constexpr regpress_stream_word endl{}, hex{}, dec{}, fixed{}, flush{};

// ------------------------------------------------------------------------------------- handler and queue
template <int D>
struct regpress_start {
  template <typename F>
  static void over_items(const F &f) {
    if constexpr (std::is_invocable_v<const F &, item<D>>)
      f(std::declval<item<D> &>());
    else if constexpr (std::is_invocable_v<const F &, id<D>>)
      f(id<D>());
  }
};
class REGPRESS_UNSIZED handler {
 public:
  static handler &current();
  template <typename Name = void, int D, typename F>
  void parallel_for(nd_range<D>, const F &f) {
    f(std::declval<nd_item<D> &>());
  }
  template <typename Name = void, int D, typename F>
  void parallel_for(range<D>, const F &f) {
    regpress_start<D>::over_items(f);
  }
  template <typename Name = void, typename F>
  void parallel_for(size_t, const F &f) {
    regpress_start<1>::over_items(f);
  }
  template <typename Name = void, int D, typename F>
  void parallel_for(range<D>, id<D>, const F &f) {
    regpress_start<D>::over_items(f);
  }
  template <typename Name = void, int D, typename T, typename O, typename F>
  void parallel_for(nd_range<D>, regpress_reduction<T, O>, const F &f) {
    f(std::declval<nd_item<D> &>(), std::declval<reducer<T, O> &>());
  }
  template <typename Name = void, int D, typename T, typename O, typename F>
  void parallel_for(range<D>, regpress_reduction<T, O>, const F &f) {
    if constexpr (std::is_invocable_v<const F &, item<D>, reducer<T, O> &>)
      f(std::declval<item<D> &>(), std::declval<reducer<T, O> &>());
    else
      f(id<D>(), std::declval<reducer<T, O> &>());
  }
  template <typename Name = void, typename R, typename T, typename O, typename U, typename Q, typename... A>
  void parallel_for(R, regpress_reduction<T, O>, regpress_reduction<U, Q>, A &&...);
  template <typename Name = void, int D, typename P, typename F,
            typename = std::enable_if_t<!std::is_convertible_v<P, id<D>>>>
  void parallel_for(nd_range<D>, const P &, const F &f) {
    f(std::declval<nd_item<D> &>());
  }
  template <typename Name = void, int D, typename F>
  void parallel_for_work_group(range<D>, const F &f) {
    f(std::declval<group<D> &>());
  }
  template <typename Name = void, int D, typename F>
  void parallel_for_work_group(range<D>, range<D>, const F &f) {
    f(std::declval<group<D> &>());
  }
  template <typename Name = void, typename F>
  void single_task(const F &f) {
    f();
  }
  template <typename F>
  void host_task(F);
  template <typename F>
  void codeplay_host_task(F);
  template <typename... A>
  void set_args(A &&...);
  template <typename A>
  void set_arg(int, A &&);
  void depends_on(event);
  void depends_on(const std::vector<event> &);
  template <typename A>
  void require(const A &);
  template <typename... A>
  void copy(A &&...);
  template <typename A, typename T>
  void fill(A, const T &, size_t = 0);
  template <typename A>
  void update_host(A);
  void memcpy(void *, const void *, size_t);
  void memset(void *, int, size_t);
  void prefetch(const void *, size_t);
  void mem_advise(const void *, size_t, int);
  template <typename... A>
  void ext_oneapi_barrier(A &&...);
  template <typename B>
  void use_kernel_bundle(const B &);
  template <auto &S, typename T>
  void set_specialization_constant(T);
};
#define REGPRESS_DEPENDS const std::vector<event> & = {}
class REGPRESS_UNSIZED queue {
 public:
  queue();
  template <typename... A>
  explicit queue(const A &...);
  context get_context() const;
  device get_device() const;
  backend get_backend() const;
  bool is_host() const;
  bool is_in_order() const;
  REGPRESS_GET_INFO
  template <typename F>
  event submit(F f) {
    f(handler::current());
    return {};
  }
  template <typename F>
  event submit(F f, const queue &) {
    f(handler::current());
    return {};
  }
  void wait();
  void wait() const;
  void wait_and_throw();
  void throw_asynchronous();
  template <typename Name = void, typename R, typename F>
  event parallel_for(R range, const F &f) {
    handler::current().parallel_for<Name>(regpress_as_range(range), f);
    return {};
  }
  template <typename Name = void, typename R, typename A, typename F,
            typename = std::enable_if_t<!std::is_convertible_v<A, std::vector<event>> && !std::is_convertible_v<A, event>>>
  event parallel_for(R range, const A &a, const F &f) {
    handler::current().parallel_for<Name>(regpress_as_range(range), a, f);
    return {};
  }
  template <typename Name = void, typename R, typename F>
  event parallel_for(R range, event, const F &f) {
    return parallel_for<Name>(range, f);
  }
  template <typename Name = void, typename R, typename F>
  event parallel_for(R range, const std::vector<event> &, const F &f) {
    return parallel_for<Name>(range, f);
  }
  template <typename Name = void, typename F>
  event single_task(const F &f) {
    f();
    return {};
  }
  template <typename Name = void, typename D, typename F>
  event single_task(const D &, const F &f) {
    f();
    return {};
  }
  event memcpy(void *, const void *, size_t);
  event memcpy(void *, const void *, size_t, event);
  event memcpy(void *, const void *, size_t, const std::vector<event> &);
  event memset(void *, int, size_t);
  event memset(void *, int, size_t, event);
  event memset(void *, int, size_t, const std::vector<event> &);
  template <typename T>
  event fill(void *, const T &, size_t);
  template <typename T, typename E>
  event fill(void *, const T &, size_t, const E &);
  template <typename T>
  event copy(const T *, T *, size_t);
  template <typename T, typename E>
  event copy(const T *, T *, size_t, const E &);
  event prefetch(const void *, size_t);
  template <typename E>
  event prefetch(const void *, size_t, const E &);
  event mem_advise(const void *, size_t, int);
  template <typename... A>
  event ext_oneapi_submit_barrier(A &&...);
  template <typename... A>
  event ext_oneapi_memcpy2d(A &&...);
  template <typename... A>
  event ext_oneapi_graph(A &&...);

 private:
  static range<1> regpress_as_range(size_t);
  template <int D>
  static range<D> regpress_as_range(range<D>);
  template <int D>
  static nd_range<D> regpress_as_range(nd_range<D>);
};

// ------------------------------------------------------------------------------------- memory
#define REGPRESS_USM(name)                                      \
  template <typename T, typename... A>                          \
  T *name(size_t, const A &...);                                \
  template <typename... A>                                      \
  void *name(size_t, const queue &, const A &...);              \
  template <typename... A>                                      \
  void *name(size_t, const device &, const A &...);             \
  template <typename... A>                                      \
  void *name(size_t, const context &, const A &...);
REGPRESS_USM(malloc_device)
REGPRESS_USM(malloc_shared)
REGPRESS_USM(malloc_host)
#define REGPRESS_USM_ALIGNED(name)               \
  template <typename T, typename... A>           \
  T *name(size_t, size_t, const A &...);         \
  template <typename... A>                       \
  void *name(size_t, size_t, const queue &, const A &...);
REGPRESS_USM_ALIGNED(aligned_alloc_device)
REGPRESS_USM_ALIGNED(aligned_alloc_shared)
REGPRESS_USM_ALIGNED(aligned_alloc_host)
template <typename T = void, typename... A>
T *malloc(size_t, const A &...);
void free(void *, const queue &);
void free(void *, const context &);
usm::alloc get_pointer_type(const void *, const context &);
device get_pointer_device(const void *, const context &);
template <typename T, usm::alloc K, size_t Align = 0>
class usm_allocator : public std::allocator<T> {
 public:
  template <typename... A>
  usm_allocator(const A &...);
};
template <typename T>
struct is_device_copyable : std::bool_constant<std::is_trivially_copyable_v<T>> {};
template <typename T>
inline constexpr bool is_device_copyable_v = is_device_copyable<T>::value;
template <typename T, size_t N = size_t(-1)>
class span;
template <backend B, typename O>
auto get_native(const O &) -> void *;
class interop_handle {
 public:
  template <backend B>
  void *get_native_queue() const;
  template <backend B, typename A>
  void *get_native_mem(const A &) const;
};
}  // namespace sycl
