// What every CUDA source has without an include: nvcc reads cuda_runtime.h first.
#pragma once
#ifdef __HIP__  // a HIP source that names a CUDA header too: its own types win
#include <regpress_hip.h>
#else
#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__ 1
#endif
#include <regpress_gpu.h>
#include <utility>
#include <regpress_cuda_vectors.h>
#define REGPRESS_LANES unsigned
#include <regpress_shuffle.h>

// The words by which a source asks for its compiler. The version is the middle of those in use.
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#endif
#define CUDART_VERSION 12080
#define __CUDART_API_VERSION CUDART_VERSION
#define CUDARTAPI
#define CUDART_CB
#define __managed__ __attribute__((device))
#define __nv_bool bool

extern REGPRESS_DEVICE const uint3 threadIdx;
extern REGPRESS_DEVICE const uint3 blockIdx;
extern REGPRESS_DEVICE const dim3 blockDim;
extern REGPRESS_DEVICE const dim3 gridDim;

#define REGPRESS_API(name) cuda##name
#define REGPRESS_MAKE(name) make_cuda##name
#define REGPRESS_ERROR_TAG cudaError
#define REGPRESS_STREAM_TAG CUstream_st
#define REGPRESS_EVENT_TAG CUevent_st
#define REGPRESS_PROP_TAG cudaDeviceProp
#define REGPRESS_MODE_TAG cudaTextureReadMode
#define REGPRESS_OBJECT unsigned long long
#include <regpress_runtime.h>

REGPRESS_BEGIN
typedef cudaArray_tag cudaArray;
enum cudaDeviceAttr : int {};
#define REGPRESS_ATTRIBUTE(name) extern const cudaDeviceAttr cudaDevAttr##name;
REGPRESS_ATTRIBUTE(MultiProcessorCount)
REGPRESS_ATTRIBUTE(MaxThreadsPerBlock)
REGPRESS_ATTRIBUTE(MaxThreadsPerMultiProcessor)
REGPRESS_ATTRIBUTE(MaxSharedMemoryPerBlock)
REGPRESS_ATTRIBUTE(MaxSharedMemoryPerBlockOptin)
REGPRESS_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor)
REGPRESS_ATTRIBUTE(ComputeCapabilityMajor)
REGPRESS_ATTRIBUTE(ComputeCapabilityMinor)
REGPRESS_ATTRIBUTE(ClockRate)
REGPRESS_ATTRIBUTE(MemoryClockRate)
REGPRESS_ATTRIBUTE(GlobalMemoryBusWidth)
REGPRESS_ATTRIBUTE(WarpSize)
REGPRESS_ATTRIBUTE(MaxGridDimX)
REGPRESS_ATTRIBUTE(MaxBlockDimX)
REGPRESS_ATTRIBUTE(L2CacheSize)
REGPRESS_ATTRIBUTE(ManagedMemory)
REGPRESS_ATTRIBUTE(ConcurrentManagedAccess)
REGPRESS_ATTRIBUTE(CooperativeLaunch)
REGPRESS_ATTRIBUTE(MemoryPoolsSupported)
REGPRESS_ATTRIBUTE(UnifiedAddressing)
REGPRESS_ATTRIBUTE(CanMapHostMemory)
REGPRESS_ATTRIBUTE(ComputeMode)
cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
enum cudaDataType_t : int {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_R_8I = 3,
  CUDA_C_32F = 4,
  CUDA_C_64F = 5,
  CUDA_R_32I = 10,
  CUDA_R_16BF = 14,
  CUDA_R_8F_E4M3 = 28,
  CUDA_R_8F_E5M2 = 29
};
typedef cudaDataType_t cudaDataType;
struct REGPRESS_UNSIZED cudaLaunchAttribute {
  int id;
  struct {
    int cooperative, programmaticStreamSerializationAllowed;
    dim3 clusterDim;
  } val;
};
extern const int cudaLaunchAttributeClusterDimension, cudaLaunchAttributeCooperative,
    cudaLaunchAttributeProgrammaticStreamSerialization;
struct REGPRESS_UNSIZED cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned numAttrs;
};
template <typename F, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, F, A &&...);
template <typename... A>
cudaError_t cudaMemAdvise_v2(A...);
struct cudaMemLocation {
  int type, id;
};
extern "C" cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaSurfaceType2D 2
extern const int cudaBoundaryModeTrap, cudaBoundaryModeClamp, cudaBoundaryModeZero;
extern const unsigned cudaArrayDefault, cudaArraySurfaceLoadStore, cudaArrayLayered, cudaArrayCubemap;
REGPRESS_END

#include <regpress_simd.h>
REGPRESS_DEVICE int __dp4a(int, int, int);
REGPRESS_DEVICE unsigned __dp4a(unsigned, unsigned, unsigned);
REGPRESS_DEVICE int __dp2a_lo(int, int, int);
REGPRESS_DEVICE int __dp2a_hi(int, int, int);
REGPRESS_DEVICE unsigned __nvvm_get_smem_pointer(void *);
REGPRESS_DEVICE void __prof_trigger(int);
template <typename T, typename U>
REGPRESS_DEVICE void __nv_atomic_store_n(T *, U, int, int = 0);
template <typename T>
REGPRESS_DEVICE T __nv_atomic_load_n(T *, int, int = 0);
template <typename T, typename U>
REGPRESS_DEVICE T __nv_atomic_fetch_add(T *, U, int, int = 0);
template <typename T, typename U>
REGPRESS_DEVICE T __nv_atomic_exchange_n(T *, U, int, int = 0);
extern REGPRESS_DEVICE const int __NV_ATOMIC_RELAXED, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM;
REGPRESS_DEVICE void __pipeline_memcpy_async(void *, const void *, size_t, size_t = 0);
REGPRESS_DEVICE void __pipeline_commit();
REGPRESS_DEVICE void __pipeline_wait_prior(size_t);
REGPRESS_DEVICE void cudaGridDependencySynchronize();
REGPRESS_DEVICE void cudaTriggerProgrammaticLaunchCompletion();
#endif  // __HIP__
