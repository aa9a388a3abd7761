// What a class template's `type` is, where the argument stands in a macro that is not in view: what all of its
// specialisations say, and not what a class beside it does. 64 KB of 16-bit elements fit, and of elements of unknown
// size nothing is known.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include "dispatch_of_elsewhere.h"

template <class T>
struct scalar {};
template <>
struct scalar<__half> {
  using type = __half;
};
template <>
struct scalar<hip_bfloat16> {
  using type = __hip_bfloat16;
};
template <class T>
struct pair_of {};
template <>
struct pair_of<__half> {
  using type = __half2;
};
template <class T>
struct wider {};
template <>
struct wider<__half> {
  using type = float;
};
template <>
struct wider<float> {
  using type = double;
};

template <class T, int N>
__global__ void __launch_bounds__(1024) stage(const T* a, T* b, int k) {
  __shared__ T s[1024 * 32];
  for (int i = threadIdx.x; i < k; i += 1024) s[i] = a[i];
  __syncthreads();
  b[threadIdx.x] = s[(threadIdx.x * N) % k];
}

template <class T, int N>
__global__ void __launch_bounds__(1024) widened(const T* a, T* b, int k) {
  __shared__ T s[1024 * 16];
  for (int i = threadIdx.x; i < k; i += 1024) s[i] = a[i];
  __syncthreads();
  b[threadIdx.x] = s[(threadIdx.x * N) % k];
}

#define STAGE(N) stage<half_t, N><<<1, 1024, 0, stream>>>((const half_t*)in, (half_t*)out, k)
#define WIDEN(N) widened<wide_t, N><<<1, 1024, 0, stream>>>((const wide_t*)in, (wide_t*)out, k)

void run(const void* in, void* out, int k, int kind, hipStream_t stream) {
  DISPATCH_OF_ELSEWHERE(kind, [&] {
    using half_t = typename scalar<scalar_t>::type;
    using wide_t = typename wider<scalar_t>::type;
    switch (k) {
      case 1: STAGE(1); WIDEN(1); break;
      case 2: STAGE(2); WIDEN(2); break;
    }
  });
}
