// What hand-made changes of changes.toml put into a program instead of a private array; included by the compiler's
// -include, so that a change is an edit of one declaration. Element k of a thread is at [k * THREADS + thread]: lanes
// of a warp touch neighbouring words.
#pragma once
#ifdef __CUDACC__

__device__ __forceinline__ int column_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// A private array in shared memory, one column per thread.
template <class T, int THREADS>
struct Column {
  T* first;
  __device__ __forceinline__ T& operator[](int k) const { return first[k * THREADS]; }
};

// The same with several dimensions.
template <class T, int THREADS, int... DIMENSIONS>
struct Columns;

template <class T, int THREADS, int LAST>
struct Columns<T, THREADS, LAST> : Column<T, THREADS> {
  __device__ __forceinline__ explicit Columns(T* at) : Column<T, THREADS>{at} {}
};

template <class T, int THREADS, int OUTER, int INNER, int... REST>
struct Columns<T, THREADS, OUTER, INNER, REST...> {
  T* first;
  __device__ __forceinline__ explicit Columns(T* at) : first(at) {}
  __device__ __forceinline__ Columns<T, THREADS, INNER, REST...> operator[](int k) const {
    return Columns<T, THREADS, INNER, REST...>(first + k * (INNER * ... * REST) * THREADS);
  }
};

// The first N - KEPT elements in registers, the last KEPT in shared memory. Indices have to be constants.
template <class T, int N, int KEPT, int THREADS>
struct SplitColumn {
  T own[N - KEPT];
  T* rest;
  __device__ __forceinline__ T& operator[](int k) { return k < N - KEPT ? own[k] : rest[(k - N + KEPT) * THREADS]; }
};

#define COLUMN(type, name, elements, threads)      \
  __shared__ type name##_lds[(elements) * (threads)]; \
  const Column<type, threads> name { name##_lds + column_thread() }

#define COLUMNS(type, name, elements, threads, ...) \
  __shared__ type name##_lds[(elements) * (threads)];  \
  const Columns<type, threads, __VA_ARGS__> name { name##_lds + column_thread() }

#define SPLIT_COLUMN(type, name, elements, kept, threads) \
  __shared__ type name##_lds[(kept) * (threads)];            \
  SplitColumn<type, elements, kept, threads> name { {}, name##_lds + column_thread() }

// For more than 48 KiB a block; the launch has to ask for the bytes.
#define DYNAMIC_COLUMN(type, name, threads) \
  extern __shared__ type name##_lds[];      \
  const Column<type, threads> name { name##_lds + column_thread() }

#define ASK_FOR_SHARED(kernel, bytes) cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)

template <class T>
__host__ __device__ __forceinline__ T times2(T x) { return x * x; }
template <class T>
__host__ __device__ __forceinline__ T times3(T x) { return x * x * x; }
template <class T>
__host__ __device__ __forceinline__ T times4(T x) { return (x * x) * (x * x); }
template <class T>
__host__ __device__ __forceinline__ T times6(T x) { return (x * x * x) * (x * x * x); }
template <class T>
__host__ __device__ __forceinline__ T times7(T x) { return (x * x * x) * (x * x * x) * x; }
#endif
