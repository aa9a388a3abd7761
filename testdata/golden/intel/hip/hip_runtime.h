// What the kernels of testdata/golden need of HIP's device header, in terms of OpenCL's built-in functions, so that
// clang 15 can make SPIR-V of them for Intel's compiler. The names after __asm__ are mangled names of OpenCL C.
#pragma once

using size_t = decltype(sizeof(0));

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)

// ------------------------------------------------------------------------------------------------ vectors

#define VECTORS(type, name, size) \
  struct alignas(2 * size) name##2 { type x, y; }; \
  struct name##3 { type x, y, z; }; \
  struct alignas(4 * size) name##4 { type x, y, z, w; }; \
  __host__ __device__ inline name##2 make_##name##2(type x, type y) { return {x, y}; } \
  __host__ __device__ inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  __host__ __device__ inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
VECTORS(float, float, 4)
VECTORS(int, int, 4)
VECTORS(unsigned, uint, 4)
VECTORS(signed char, char, 1)
VECTORS(unsigned char, uchar, 1)
struct alignas(16) double2 { double x, y; };
struct alignas(16) double4 { double x, y, z, w; };
struct alignas(16) ulonglong2 { unsigned long long x, y; };
__host__ __device__ inline double2 make_double2(double x, double y) { return {x, y}; }
__host__ __device__ inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
using hipStream_t = struct Stream*;
extern "C" int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, hipStream_t stream = nullptr);
extern "C" int hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, hipStream_t stream);

// ------------------------------------------------------------------------------------------------ indices

#define OPENCL(result, name, parameters, symbol) __device__ result name parameters __asm__(symbol);
OPENCL(size_t, ocl_local_id, (unsigned), "_Z12get_local_idj")
OPENCL(size_t, ocl_group_id, (unsigned), "_Z12get_group_idj")
OPENCL(size_t, ocl_local_size, (unsigned), "_Z14get_local_sizej")
OPENCL(size_t, ocl_num_groups, (unsigned), "_Z14get_num_groupsj")

#define INDEX(type, function) \
  struct type { \
    __declspec(property(get = get_x)) unsigned x; \
    __declspec(property(get = get_y)) unsigned y; \
    __declspec(property(get = get_z)) unsigned z; \
    __device__ unsigned get_x() const { return static_cast<unsigned>(function(0)); } \
    __device__ unsigned get_y() const { return static_cast<unsigned>(function(1)); } \
    __device__ unsigned get_z() const { return static_cast<unsigned>(function(2)); } \
    __device__ operator dim3() const { return {get_x(), get_y(), get_z()}; } \
  };
INDEX(ThreadIndex, ocl_local_id)
INDEX(BlockIndex, ocl_group_id)
INDEX(BlockSize, ocl_local_size)
INDEX(GridSize, ocl_num_groups)
#define threadIdx (ThreadIndex{})
#define blockIdx (BlockIndex{})
#define blockDim (BlockSize{})
#define gridDim (GridSize{})

__device__ void ocl_barrier(unsigned) __asm__("_Z7barrierj") __attribute__((convergent));
__device__ inline __attribute__((always_inline)) void __syncthreads() { ocl_barrier(1); }

// ------------------------------------------------------------------------------------------------ math

// Overloads of OpenCL C have the names that C++ gives them: they are declared and have no bodies here.
#define ONE(name) \
  __device__ float name(float); \
  __device__ double name(double); \
  __device__ inline float name##f(float x) { return name(x); }
ONE(sin) ONE(cos) ONE(exp) ONE(log) ONE(sqrt) ONE(fabs) ONE(floor) ONE(rint) ONE(tanh) ONE(acos) ONE(asin) ONE(erf)
ONE(erfc) ONE(lgamma) ONE(log1p) ONE(cbrt) ONE(rsqrt)

#define TWO(name) \
  __device__ float name(float, float); \
  __device__ double name(double, double); \
  __device__ inline float name##f(float x, float y) { return name(x, y); }
TWO(fmin) TWO(fmax) TWO(pow) TWO(atan2) TWO(hypot)

__device__ double fma(double, double, double);
__device__ float ocl_native_sin(float) __asm__("_Z10native_sinf");
__device__ float ocl_native_cos(float) __asm__("_Z10native_cosf");
__device__ float ocl_native_exp(float) __asm__("_Z10native_expf");
__device__ inline float __sinf(float x) { return ocl_native_sin(x); }
__device__ inline float __cosf(float x) { return ocl_native_cos(x); }
__device__ inline float __expf(float x) { return ocl_native_exp(x); }
__device__ inline void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
__device__ inline void __sincosf(float x, float* s, float* c) { *s = __sinf(x), *c = __cosf(x); }

// ------------------------------------------------------------------------------------------------ integers and bits

template <class T> __host__ __device__ inline T min(T a, T b) { return b < a ? b : a; }
template <class T> __host__ __device__ inline T max(T a, T b) { return a < b ? b : a; }
__device__ __forceinline__ int abs(int x) { return x < 0 ? -x : x; }
OPENCL(unsigned long, ocl_mul_hi, (unsigned long, unsigned long), "_Z6mul_himm")
__device__ inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return ocl_mul_hi(a, b); }
__device__ inline int __popc(unsigned x) { return __builtin_popcount(x); }
__device__ inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
__device__ inline int __ffsll(long long x) { return x ? __builtin_ctzll(x) + 1 : 0; }
__device__ inline unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
__device__ inline int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__device__ inline float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
__device__ inline float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
#define memcpy __builtin_memcpy

// ------------------------------------------------------------------------------------------------ atomics, sub-groups

__device__ inline int atomicAdd(int* p, int v) { return __sync_fetch_and_add(p, v); }
__device__ inline unsigned atomicAdd(unsigned* p, unsigned v) { return __sync_fetch_and_add(p, v); }
__device__ inline unsigned long long atomicAdd(unsigned long long* p, unsigned long long v) { return __sync_fetch_and_add(p, v); }
__device__ inline int atomicMin(int* p, int v) { return __sync_fetch_and_min(p, v); }
template <class T> __device__ inline T atomicCAS(T* p, T old, T now) { return __sync_val_compare_and_swap(p, old, now); }
__device__ inline float atomicAdd(float* p, float v) {
  unsigned* at = reinterpret_cast<unsigned*>(p);
  unsigned old = *at, seen = old;
  do {
    old = seen;
    seen = atomicCAS(at, old, __float_as_uint(__uint_as_float(old) + v));
  } while (seen != old);
  return __uint_as_float(old);
}

#define SHUFFLES(type, letter) \
  __device__ type ocl_shuffle(type, unsigned) __asm__("_Z23intel_sub_group_shuffle" letter "j") __attribute__((convergent)); \
  __device__ type ocl_shuffle_xor(type, unsigned) __asm__("_Z27intel_sub_group_shuffle_xor" letter "j") __attribute__((convergent)); \
  __device__ type ocl_shuffle_down(type, type, unsigned) __asm__("_Z28intel_sub_group_shuffle_down" letter letter "j") __attribute__((convergent)); \
  __device__ type ocl_shuffle_up(type, type, unsigned) __asm__("_Z26intel_sub_group_shuffle_up" letter letter "j") __attribute__((convergent)); \
  __device__ inline type __shfl(type v, unsigned lane) { return ocl_shuffle(v, lane); } \
  __device__ inline type __shfl_xor(type v, unsigned mask) { return ocl_shuffle_xor(v, mask); } \
  __device__ inline type __shfl_down(type v, unsigned by) { return ocl_shuffle_down(v, v, by); } \
  __device__ inline type __shfl_up(type v, unsigned by) { return ocl_shuffle_up(v, v, by); }
SHUFFLES(float, "f")
SHUFFLES(int, "i")

using OclUint4 = unsigned __attribute__((ext_vector_type(4)));
__device__ OclUint4 ocl_ballot(int) __asm__("_Z16sub_group_balloti") __attribute__((convergent));
__device__ inline unsigned __ballot(bool condition) { return ocl_ballot(condition).x; }
