// SYCL: properties, exceptions, what can be asked of devices, and the objects of the runtime but queues.
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
}  // namespace sycl
