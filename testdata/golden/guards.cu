// Code that the compiler never sees, or sees fold away: another GPU's body, asserts on constants, unspecialised templates.
#include <cassert>
#include <cstdio>

#include "common.h"

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
#define HAS_TENSOR_MEMORY 1
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define IS_OLD 1
#else
#define IS_OLD 0
#endif
#if defined(__gfx940__) || defined(__gfx1250__)
#define IS_ELSEWHERE
#endif

template <int N>
__device__ float wide_body(const float* in, int i, int stride) {
  float v[N], sum = 0.0f;
#pragma unroll
  for (int k = 0; k < N; k++) v[k] = in[i + k * stride];
#pragma unroll
  for (int k = 0; k < N; k++) sum += v[k] * v[N - 1 - k] + in[i * N + k];
  return sum;
}

__global__ void body_for_next_gpu(const float* in, float* out, int stride) {
  const int i = INDEX;
#ifdef HAS_TENSOR_MEMORY
  out[i] = wide_body<48>(in, i, stride);
#else
  out[i] = in[i] * 2.0f + in[i + stride];
#endif
}

__global__ void body_by_value(const float* in, float* out, int stride) {
  const int i = INDEX;
#if IS_OLD
  out[i] = wide_body<40>(in, i, stride);
#else
  out[i] = wide_body<6>(in, i, stride);
#endif
}

__global__ void body_by_family(const float* in, float* out, int stride) {
  const int i = INDEX;
#if defined(IS_ELSEWHERE)
  out[i] = wide_body<36>(in, i, stride);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
  out[i] = wide_body<8>(in, i, stride);
#else
  out[i] = in[i] - in[i + stride];
#endif
}

__global__ void trap_elsewhere(const float* in, float* out, int stride) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  printf("this kernel is for newer GPUs\n");
#else
  const int i = INDEX;
  out[i] = in[i] * in[i + stride];
#endif
}

template <int BLOCK>
__global__ void assert_on_constant(const float* in, float* out, int stride) {
  assert(BLOCK % 64 == 0);
  assert(BLOCK >= 64 && "blocks are whole waves");
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  out[i] = in[i] * in[i + stride];
}
template __global__ void assert_on_constant<128>(const float*, float*, int);
template __global__ void assert_on_constant<256>(const float*, float*, int);

#define CHECK_THAT(condition)                          \
  do {                                                 \
    if (!(condition)) {                                \
      printf("%s failed at %d\n", #condition, __LINE__); \
      return;                                          \
    }                                                  \
  } while (0)

template <typename T, int WIDTH>
__global__ void check_on_constant(const T* in, T* out, int stride) {
  CHECK_THAT(sizeof(T) == 4 || sizeof(T) == 8);
  CHECK_THAT((WIDTH & (WIDTH - 1)) == 0);
  const int i = INDEX;
  out[i * WIDTH] = in[i] + in[i + stride];
}
template __global__ void check_on_constant<float, 4>(const float*, float*, int);
template __global__ void check_on_constant<double, 8>(const double*, double*, int);

template <typename T>
struct Converted {
  static __device__ float to(T) {
    printf("no conversion for this type\n");
    return 0.0f;
  }
};
template <>
struct Converted<int> {
  static __device__ float to(int x) { return x * 0.5f; }
};
template <>
struct Converted<double> {
  static __device__ float to(double x) { return static_cast<float>(x); }
};

template <typename T>
__global__ void specialised_elsewhere(const T* in, float* out, int stride) {
  const int i = INDEX;
  out[i] = Converted<T>::to(in[i]) + Converted<T>::to(in[i + stride]);
}
template __global__ void specialised_elsewhere<int>(const int*, float*, int);
template __global__ void specialised_elsewhere<double>(const double*, float*, int);

template <typename T>
__device__ T largest() {
  assert(false && "not for this type");
  return T();
}
template <>
__device__ float largest<float>() {
  return 3.4e38f;
}
template <>
__device__ int largest<int>() {
  return 2147483647;
}

template <typename T>
__global__ void specialised_function(const T* in, T* out, int stride) {
  const int i = INDEX;
  T best = largest<T>();
  for (int k = 0; k < 4; k++) best = min(best, in[i + k * stride]);
  out[i] = best;
}
template __global__ void specialised_function<float>(const float*, float*, int);
template __global__ void specialised_function<int>(const int*, int*, int);

template <typename T>
struct IsWide {
  static constexpr bool value = false;
};
template <>
struct IsWide<double> {
  static constexpr bool value = true;
};

template <typename T, bool CHECKED>
__global__ void chosen_at_compile_time(const T* in, T* out, int stride) {
  const int i = INDEX;
  if constexpr (CHECKED) {
    if (in[i] != in[i]) printf("not a number at %d\n", i);
  }
  if constexpr (IsWide<T>::value) {
    out[i] = in[i] * in[i + stride];
  } else {
    out[i] = wide_body<16>(reinterpret_cast<const float*>(in), i, stride);
  }
}
template __global__ void chosen_at_compile_time<double, false>(const double*, double*, int);
template __global__ void chosen_at_compile_time<float, false>(const float*, float*, int);
template __global__ void chosen_at_compile_time<float, true>(const float*, float*, int);

constexpr bool kVerbose = false;
#define DEBUG_LEVEL 0

__global__ void silent_prints(const float* in, float* out, int stride) {
  const int i = INDEX;
  if (kVerbose) printf("thread %d reads %f\n", i, in[i]);
  if (DEBUG_LEVEL > 1 && i == 0) printf("stride %d\n", stride);
  out[i] = in[i] * in[i + stride];
}

__global__ void failing_check(const float* in, float* out, int n) {
  const int i = INDEX;
  assert(i < n);
  out[i] = in[i] * 0.5f;
}
