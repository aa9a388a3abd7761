// What every HIP source has through hip/hip_runtime.h.
#pragma once
#if defined(__CUDA__) && !defined(__HIP__)  // read as CUDA
#include <regpress_cuda.h>
#else
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#ifndef __HIP_PLATFORM_HCC__
#define __HIP_PLATFORM_HCC__ 1
#endif
#ifndef __HIPCC__
#define __HIPCC__ 1
#endif
#include <regpress_gpu.h>
#include <utility>
#include <regpress_hip_vectors.h>
#define REGPRESS_LANES unsigned long long
#include <regpress_shuffle.h>

#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 2
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60200000
#define __managed__ __attribute__((managed))
#define HIP_DYNAMIC_SHARED(type, variable) extern __shared__ type variable[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(symbol) symbol
#define HIP_ENABLE_WARP_SYNC_BUILTINS 1
#ifdef __HIP_DEVICE_COMPILE__
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ 1
#define __HIP_ARCH_HAS_DOUBLES__ 1
#define __HIP_ARCH_HAS_WARP_VOTE__ 1
#define __HIP_ARCH_HAS_WARP_BALLOT__ 1
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ 1
#endif

extern REGPRESS_DEVICE const uint3 threadIdx;
extern REGPRESS_DEVICE const uint3 blockIdx;
extern REGPRESS_DEVICE const dim3 blockDim;
extern REGPRESS_DEVICE const dim3 gridDim;
#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)

#define REGPRESS_API(name) hip##name
#define REGPRESS_MAKE(name) make_hip##name
#define REGPRESS_ERROR_TAG hipError
#define REGPRESS_STREAM_TAG ihipStream_t
#define REGPRESS_EVENT_TAG ihipEvent_t
#define REGPRESS_PROP_TAG hipDeviceProp_t
#define REGPRESS_MODE_TAG hipTextureReadMode
#define REGPRESS_OBJECT struct __hip_texture *
#include <regpress_runtime.h>

REGPRESS_BEGIN
typedef hipArray_tag hipArray;
typedef int hipDevice_t;
typedef struct ihipCtx_t *hipCtx_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef void *hipDeviceptr_t;
enum hipDeviceAttribute_t : int {};
#define REGPRESS_ATTRIBUTE(name) extern const hipDeviceAttribute_t hipDeviceAttribute##name;
REGPRESS_ATTRIBUTE(MultiprocessorCount)
REGPRESS_ATTRIBUTE(MaxThreadsPerBlock)
REGPRESS_ATTRIBUTE(MaxThreadsPerMultiProcessor)
REGPRESS_ATTRIBUTE(MaxSharedMemoryPerBlock)
REGPRESS_ATTRIBUTE(SharedMemPerBlockOptin)
REGPRESS_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor)
REGPRESS_ATTRIBUTE(ComputeCapabilityMajor)
REGPRESS_ATTRIBUTE(ComputeCapabilityMinor)
REGPRESS_ATTRIBUTE(ClockRate)
REGPRESS_ATTRIBUTE(MemoryClockRate)
REGPRESS_ATTRIBUTE(MemoryBusWidth)
REGPRESS_ATTRIBUTE(WarpSize)
REGPRESS_ATTRIBUTE(L2CacheSize)
REGPRESS_ATTRIBUTE(ManagedMemory)
REGPRESS_ATTRIBUTE(ConcurrentManagedAccess)
REGPRESS_ATTRIBUTE(CooperativeLaunch)
REGPRESS_ATTRIBUTE(MemoryPoolsSupported)
REGPRESS_ATTRIBUTE(MaxGridDimX)
REGPRESS_ATTRIBUTE(MaxBlockDimX)
hipError_t hipDeviceGetAttribute(int *, hipDeviceAttribute_t, int);
template <typename T>
hipError_t hipHostMalloc(T **, size_t, unsigned = 0);
template <typename T>
hipError_t hipExtMallocWithFlags(T **, size_t, unsigned);
hipError_t hipHostFree(void *);
hipError_t hipMemcpyHtoD(hipDeviceptr_t, void *, size_t);
hipError_t hipMemcpyDtoH(void *, hipDeviceptr_t, size_t);
hipError_t hipMemcpyDtoD(hipDeviceptr_t, hipDeviceptr_t, size_t);
hipError_t hipMemsetD8(hipDeviceptr_t, unsigned char, size_t);
hipError_t hipMemsetD32(hipDeviceptr_t, int, size_t);
hipError_t hipInit(unsigned);
hipError_t hipDeviceGet(hipDevice_t *, int);
hipError_t hipDeviceGetName(char *, int, hipDevice_t);
hipError_t hipCtxCreate(hipCtx_t *, unsigned, hipDevice_t);
hipError_t hipModuleLoad(hipModule_t *, const char *);
hipError_t hipModuleLoadData(hipModule_t *, const void *);
hipError_t hipModuleGetFunction(hipFunction_t *, hipModule_t, const char *);
hipError_t hipModuleUnload(hipModule_t);
hipError_t hipModuleLaunchKernel(hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 hipStream_t, void **, void **);
hipError_t hipDrvGetErrorString(hipError_t, const char **);
extern const unsigned hipHostMallocDefault, hipHostMallocPortable, hipHostMallocMapped, hipHostMallocWriteCombined,
    hipHostMallocNumaUser, hipHostMallocCoherent, hipHostMallocNonCoherent, hipDeviceMallocDefault,
    hipDeviceMallocFinegrained, hipArrayDefault, hipArraySurfaceLoadStore, hipArrayLayered, hipArrayCubemap;
#define hipStreamPerThread ((hipStream_t)2)
extern const hipError_t hipErrorRuntimeOther, hipErrorRuntimeMemory, hipErrorIllegalAddress, hipErrorAssert;
#define hipTextureType1D 1
#define hipTextureType2D 2
#define hipTextureType3D 3
enum hipDataType : int {
  HIP_R_32F = 0,
  HIP_R_64F = 1,
  HIP_R_16F = 2,
  HIP_R_8I = 3,
  HIP_C_32F = 4,
  HIP_C_64F = 5,
  HIP_R_32I = 10,
  HIP_R_16BF = 14
};
extern "C" hipError_t hipConfigureCall(dim3, dim3, size_t = 0, hipStream_t = 0);
extern "C" hipError_t __hipPushCallConfiguration(dim3, dim3, size_t = 0, hipStream_t = 0);
template <typename F, typename... A>
void hipExtLaunchKernelGGL(F, dim3, dim3, size_t, hipStream_t, hipEvent_t, hipEvent_t, unsigned, A &&...);
REGPRESS_END
// A launch by macro is a launch by brackets.
#define hipLaunchKernelGGL(kernel, blocks, threads, bytes, stream, ...) \
  (kernel)<<<(blocks), (threads), (bytes), (stream)>>>(__VA_ARGS__)
#define hipLaunchKernel_GGL hipLaunchKernelGGL

REGPRESS_DEVICE unsigned __lane_id();
REGPRESS_DEVICE long long wall_clock64();
REGPRESS_DEVICE unsigned __smid();
REGPRESS_DEVICE unsigned long long __lastbit_u32_u64(unsigned long long);
REGPRESS_DEVICE unsigned __bitextract_u32(unsigned, unsigned, unsigned);
REGPRESS_DEVICE unsigned __bitinsert_u32(unsigned, unsigned, unsigned, unsigned);
REGPRESS_DEVICE unsigned __bitalign(unsigned, unsigned, unsigned);
REGPRESS_DEVICE int __dp4a(int, int, int);
REGPRESS_DEVICE unsigned __dp4a(unsigned, unsigned, unsigned);
REGPRESS_DEVICE int amd_mixed_dot(char4, char4, int, bool);
REGPRESS_DEVICE unsigned amd_mixed_dot(uchar4, uchar4, unsigned, bool);
REGPRESS_DEVICE float __ocml_exp_f32(float);
REGPRESS_ATOMIC(atomicMin, float)
REGPRESS_ATOMIC(atomicMin, double)
REGPRESS_ATOMIC(atomicMax, float)
REGPRESS_ATOMIC(atomicMax, double)
template <typename T>
REGPRESS_DEVICE T unsafeAtomicAdd(T *, T);
template <typename T>
REGPRESS_DEVICE T safeAtomicAdd(T *, T);
template <typename T>
REGPRESS_DEVICE T atomicAddNoRet(T *, T);
#endif
