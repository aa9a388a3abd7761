// What PyTorch's headers offer to a kernel, as what it compiles to: accessors of tensors, accumulation types, launch
// macros. Written for regpress-lint from PyTorch's documentation; what belongs to the host is left out.
#pragma once
#define C10_WARP_SIZE 32
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_ALWAYS_INLINE inline
#define C10_RESTRICT __restrict__
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)
#define CUDA_KERNEL_ASSERT(condition) assert(condition)
#define CUDA_KERNEL_LOOP_TYPE(i, n, index_type) \
  int64_t _i_n_d_e_x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; \
  for (index_type i = _i_n_d_e_x; _i_n_d_e_x < (n); _i_n_d_e_x += blockDim.x * gridDim.x, i = _i_n_d_e_x)
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)
namespace c10 {
typedef __half Half;
typedef __nv_bfloat16 BFloat16;
}
namespace at {
typedef __half Half;
typedef __nv_bfloat16 BFloat16;
template <typename T> struct AccumulateType { typedef T type; };
template <> struct AccumulateType<__half> { typedef float type; };
template <> struct AccumulateType<__nv_bfloat16> { typedef float type; };
template <> struct AccumulateType<signed char> { typedef long type; };
template <> struct AccumulateType<unsigned char> { typedef long type; };
template <> struct AccumulateType<short> { typedef long type; };
template <> struct AccumulateType<int> { typedef long type; };
template <typename T, bool is_cuda> using acc_type = typename AccumulateType<T>::type;
template <typename T> struct OpMathType { typedef T type; };
template <> struct OpMathType<__half> { typedef float type; };
template <> struct OpMathType<__nv_bfloat16> { typedef float type; };
template <typename T> using opmath_type = typename OpMathType<T>::type;
template <typename T> struct DefaultPtrTraits { typedef T* PtrType; };
template <typename T> struct RestrictPtrTraits { typedef T* __restrict__ PtrType; };
// A part of a tensor: the pointer to its first element; sizes and strides stay where the parameter has them.
template <typename T, typename I>
struct TensorAccessorBase {
  T* data_;
  const I* sizes_;
  const I* strides_;
  __host__ __device__ TensorAccessorBase(T* data, const I* sizes, const I* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  __host__ __device__ I size(I i) const { return sizes_[i]; }
  __host__ __device__ I stride(I i) const { return strides_[i]; }
  __host__ __device__ T* data() const { return data_; }
};
template <typename T, unsigned long N, template <typename U> class Traits = DefaultPtrTraits, typename I = long>
struct TensorAccessor : TensorAccessorBase<T, I> {
  __host__ __device__ TensorAccessor(T* data, const I* sizes, const I* strides)
      : TensorAccessorBase<T, I>(data, sizes, strides) {}
  __host__ __device__ TensorAccessor<T, N - 1, Traits, I> operator[](I i) const {
    return TensorAccessor<T, N - 1, Traits, I>(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1);
  }
};
template <typename T, template <typename U> class Traits, typename I>
struct TensorAccessor<T, 1, Traits, I> : TensorAccessorBase<T, I> {
  __host__ __device__ TensorAccessor(T* data, const I* sizes, const I* strides)
      : TensorAccessorBase<T, I>(data, sizes, strides) {}
  __host__ __device__ T& operator[](I i) const { return this->data_[this->strides_[0] * i]; }
};
// The same as a kernel's parameter: with its sizes and strides in it.
template <typename T, unsigned long N, template <typename U> class Traits = DefaultPtrTraits, typename I = long>
struct GenericPackedTensorAccessor {
  T* data_;
  I sizes_[N];
  I strides_[N];
  __host__ __device__ TensorAccessor<T, N - 1, Traits, I> operator[](I i) const {
    return TensorAccessor<T, N - 1, Traits, I>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
  }
  __host__ __device__ I size(I i) const { return sizes_[i]; }
  __host__ __device__ I stride(I i) const { return strides_[i]; }
  __host__ __device__ T* data() const { return data_; }
};
template <typename T, template <typename U> class Traits, typename I>
struct GenericPackedTensorAccessor<T, 1, Traits, I> {
  T* data_;
  I sizes_[1];
  I strides_[1];
  __host__ __device__ T& operator[](I i) const { return data_[strides_[0] * i]; }
  __host__ __device__ I size(I i) const { return sizes_[i]; }
  __host__ __device__ I stride(I i) const { return strides_[i]; }
  __host__ __device__ T* data() const { return data_; }
};
template <typename T, unsigned long N, template <typename U> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, int>;
template <typename T, unsigned long N, template <typename U> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Traits, long>;
template <typename T, unsigned long N, template <typename U> class Traits = DefaultPtrTraits, typename I = long>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Traits, I>;
}
namespace torch {
using namespace at;
}
template <typename T> __device__ void gpuAtomicAdd(T* place, T value) { atomicAdd(place, value); }
template <typename T> __device__ void gpuAtomicAddNoReturn(T* place, T value) { atomicAdd(place, value); }
