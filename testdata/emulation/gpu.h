// A GPU in a loop: what a kernel without barriers needs to be compiled as C++ and run thread by thread on the host.
// tests/test_fix_emulation.py compiles a file before and after its safe fixes and compares what the kernels wrote.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __constant__ static
#define __forceinline__ inline
#define __noinline__
#define __restrict__
#define __launch_bounds__(...)

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
static dim3 threadIdx, blockIdx, blockDim(8), gridDim(4);

#define LANES(NAME, T)                                                              \
  struct NAME##2 { T x, y; };                                                       \
  struct NAME##3 { T x, y, z; };                                                    \
  struct NAME##4 { T x, y, z, w; };                                                 \
  inline NAME##2 make_##NAME##2(T a, T b) { return {a, b}; }                        \
  inline NAME##3 make_##NAME##3(T a, T b, T c) { return {a, b, c}; }                \
  inline NAME##4 make_##NAME##4(T a, T b, T c, T d) { return {a, b, c, d}; }
LANES(float, float)
LANES(double, double)
LANES(int, int)
LANES(uint, unsigned)

using std::abs;
using std::isnan;
template <class A, class B>
auto min(A a, B b) -> std::common_type_t<A, B> { return b < a ? b : a; }
template <class A, class B>
auto max(A a, B b) -> std::common_type_t<A, B> { return a < b ? b : a; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
// One definition for the pair and for each alone, as a GPU's library has it.
inline void sincosf(float x, float *s, float *c) noexcept { *s = sinf(x), *c = cosf(x); }
inline void sincos(double x, double *s, double *c) noexcept { *s = sin(x), *c = cos(x); }
inline void sincospi(double x, double *s, double *c) noexcept { *s = sin(M_PI * x), *c = cos(M_PI * x); }
template <class T>
T __ldg(const T *p) { return *p; }
template <class T>
T atomicAdd(T *p, T v) { T old = *p; *p += v; return old; }
template <class T>
T atomicMax(T *p, T v) { T old = *p; *p = max(*p, v); return old; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline unsigned __float_as_uint(float x) { unsigned u; memcpy(&u, &x, 4); return u; }

// Small numbers with few bits, so that what a power or a sum of them is can be exact.
static constexpr int ELEMENTS = 1 << 14;
template <class T>
T value_of(int i) {
  if constexpr (std::is_same_v<T, bool>) return i % 2;
  else if constexpr (std::is_floating_point_v<T>) return T((i * 5) % 17) / 4 + T(0.5);
  else if constexpr (std::is_arithmetic_v<T>) return T((i * 7) % 13);
  else {
    T made;
    float words[(sizeof(T) + 3) / 4];
    for (unsigned k = 0; k < sizeof(words) / 4; k++) words[k] = value_of<float>(i + int(k));
    memcpy(static_cast<void *>(&made), words, sizeof(T));
    return made;
  }
}

struct Memory {
  std::vector<unsigned char> bytes;
  template <class T>
  T *filled() {
    bytes.resize(sizeof(T) * ELEMENTS);
    T *all = reinterpret_cast<T *>(bytes.data());
    for (int i = 0; i < ELEMENTS; i++) {
      T one = value_of<T>(i);
      memcpy(static_cast<void *>(all + i), &one, sizeof(T));
    }
    return all;
  }
};

template <class A>
std::remove_cv_t<std::remove_reference_t<A>> argument(Memory &memory) {
  using T = std::remove_cv_t<std::remove_reference_t<A>>;
  if constexpr (std::is_pointer_v<T>) return memory.filled<std::remove_cv_t<std::remove_pointer_t<T>>>();
  else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return T(24);
  else return value_of<T>(3);
}

template <class... A, std::size_t... I>
void launch(const char *name, void (*kernel)(A...), std::index_sequence<I...>) {
  std::vector<Memory> memory(sizeof...(A) + 1);
  auto given = std::make_tuple(argument<A>(memory[I])...);
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++) kernel(std::get<I>(given)...);
  for (std::size_t i = 0; i < sizeof...(A); i++) {
    std::uint64_t hash = 1469598103934665603u;
    for (unsigned char byte : memory[i].bytes) hash = (hash ^ byte) * 1099511628211u;
    printf("%s %zu %zu %016llx\n", name, i, memory[i].bytes.size(), static_cast<unsigned long long>(hash));
  }
  fflush(stdout);
}
template <class... A>
void run_kernel(const char *name, void (*kernel)(A...)) {
  launch(name, kernel, std::index_sequence_for<A...>());
}
