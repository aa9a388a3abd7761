// SYCL: reductions, handlers, queues and memory. A kernel is called once with the item it takes, so that the body of a
// generic lambda is instantiated too.
#pragma once
#include <regpress_sycl_buffers.h>

namespace sycl {
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
