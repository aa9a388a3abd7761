// The host API that CUDA's and HIP's runtimes share. The includer defines REGPRESS_API(name), which puts `cuda` or `hip`
// before a name. An enumerator whose number is not needed is a constant without a value: nothing wrong can be answered.
REGPRESS_BEGIN
enum REGPRESS_API(MemcpyKind) {
  REGPRESS_API(MemcpyHostToHost) = 0,
  REGPRESS_API(MemcpyHostToDevice) = 1,
  REGPRESS_API(MemcpyDeviceToHost) = 2,
  REGPRESS_API(MemcpyDeviceToDevice) = 3,
  REGPRESS_API(MemcpyDefault) = 4
};
enum REGPRESS_ERROR_TAG : unsigned { REGPRESS_API(Success) = 0 };
typedef enum REGPRESS_ERROR_TAG REGPRESS_API(Error_t);
#define REGPRESS_ERROR(name) extern const REGPRESS_API(Error_t) REGPRESS_API(name);
REGPRESS_ERROR(ErrorInvalidValue)
REGPRESS_ERROR(ErrorMemoryAllocation)
REGPRESS_ERROR(ErrorOutOfMemory)
REGPRESS_ERROR(ErrorInvalidDevice)
REGPRESS_ERROR(ErrorNotReady)
REGPRESS_ERROR(ErrorUnknown)
REGPRESS_ERROR(ErrorInvalidConfiguration)
REGPRESS_ERROR(ErrorPeerAccessAlreadyEnabled)
REGPRESS_ERROR(ErrorPeerAccessNotEnabled)
REGPRESS_ERROR(ErrorHostMemoryAlreadyRegistered)
REGPRESS_ERROR(ErrorNotSupported)
REGPRESS_ERROR(ErrorNoDevice)
REGPRESS_ERROR(ErrorLaunchFailure)
REGPRESS_ERROR(ErrorInitializationError)
REGPRESS_ERROR(ErrorInvalidDevicePointer)
REGPRESS_ERROR(ErrorInvalidResourceHandle)
REGPRESS_ERROR(ErrorSetOnActiveProcess)

typedef struct REGPRESS_STREAM_TAG *REGPRESS_API(Stream_t);
typedef struct REGPRESS_EVENT_TAG *REGPRESS_API(Event_t);
typedef struct REGPRESS_API(Array_tag) *REGPRESS_API(Array_t);
typedef const struct REGPRESS_API(Array_tag) *REGPRESS_API(Array_const_t);
typedef struct REGPRESS_API(Graph_tag) *REGPRESS_API(Graph_t);
typedef struct REGPRESS_API(GraphExec_tag) *REGPRESS_API(GraphExec_t);
typedef struct REGPRESS_API(GraphNode_tag) *REGPRESS_API(GraphNode_t);
typedef struct REGPRESS_API(MemPool_tag) *REGPRESS_API(MemPool_t);

struct REGPRESS_UNSIZED REGPRESS_PROP_TAG {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, memPitch, totalConstMem, textureAlignment, sharedMemPerBlockOptin,
      sharedMemPerMultiprocessor;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor,
      multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode, concurrentKernels,
      ECCEnabled, pciBusID, pciDeviceID, pciDomainID, memoryClockRate, memoryBusWidth, l2CacheSize, deviceOverlap,
      maxThreadsPerMultiProcessor, unifiedAddressing, managedMemory, concurrentManagedAccess, cooperativeLaunch,
      asyncEngineCount, isMultiGpuBoard, pageableMemoryAccess, regsPerMultiprocessor, maxTexture1D, tccDriver,
      maxTexture2D[2], maxTexture3D[3], persistingL2CacheMaxSize, maxBlocksPerMultiProcessor, streamPrioritiesSupported;
  char gcnArchName[256];
  int gcnArch;
};
struct REGPRESS_UNSIZED REGPRESS_API(FuncAttributes) {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, maxDynamicSharedSizeBytes;
};
struct REGPRESS_UNSIZED REGPRESS_API(PointerAttributes) {
  int type, memoryType, device, isManaged;
  void *devicePointer, *hostPointer;
};
struct REGPRESS_API(Extent) {
  size_t width, height, depth;
};
struct REGPRESS_API(Pos) {
  size_t x, y, z;
};
struct REGPRESS_API(PitchedPtr) {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct REGPRESS_UNSIZED REGPRESS_API(Memcpy3DParms) {
  REGPRESS_API(Array_t) srcArray, dstArray;
  REGPRESS_API(Pos) srcPos, dstPos;
  REGPRESS_API(PitchedPtr) srcPtr, dstPtr;
  REGPRESS_API(Extent) extent;
  REGPRESS_API(MemcpyKind) kind;
};
REGPRESS_API(Extent) REGPRESS_MAKE(Extent)(size_t, size_t, size_t);
REGPRESS_API(Pos) REGPRESS_MAKE(Pos)(size_t, size_t, size_t);
REGPRESS_API(PitchedPtr) REGPRESS_MAKE(PitchedPtr)(void *, size_t, size_t, size_t);

#define REGPRESS_ENUM(name) enum REGPRESS_API(name) : int {};
#define REGPRESS_OF(type, name) extern const REGPRESS_API(type) REGPRESS_API(name);
REGPRESS_ENUM(FuncCache)
REGPRESS_ENUM(SharedMemConfig)
REGPRESS_ENUM(MemoryAdvise)
REGPRESS_ENUM(Limit)
REGPRESS_ENUM(FuncAttribute)
REGPRESS_ENUM(StreamCaptureMode)
REGPRESS_ENUM(MemoryType)
REGPRESS_ENUM(ComputeMode)
REGPRESS_ENUM(MemRangeAttribute)
typedef REGPRESS_API(FuncCache) REGPRESS_API(FuncCache_t);
REGPRESS_OF(FuncCache, FuncCachePreferNone)
REGPRESS_OF(FuncCache, FuncCachePreferShared)
REGPRESS_OF(FuncCache, FuncCachePreferL1)
REGPRESS_OF(FuncCache, FuncCachePreferEqual)
REGPRESS_OF(SharedMemConfig, SharedMemBankSizeDefault)
REGPRESS_OF(SharedMemConfig, SharedMemBankSizeFourByte)
REGPRESS_OF(SharedMemConfig, SharedMemBankSizeEightByte)
REGPRESS_OF(MemoryAdvise, MemAdviseSetReadMostly)
REGPRESS_OF(MemoryAdvise, MemAdviseSetPreferredLocation)
REGPRESS_OF(MemoryAdvise, MemAdviseSetAccessedBy)
REGPRESS_OF(Limit, LimitStackSize)
REGPRESS_OF(Limit, LimitMallocHeapSize)
REGPRESS_OF(Limit, LimitPrintfFifoSize)
REGPRESS_OF(Limit, LimitPersistingL2CacheSize)
REGPRESS_OF(FuncAttribute, FuncAttributeMaxDynamicSharedMemorySize)
REGPRESS_OF(FuncAttribute, FuncAttributePreferredSharedMemoryCarveout)
REGPRESS_OF(FuncAttribute, FuncAttributeNonPortableClusterSizeAllowed)
REGPRESS_OF(StreamCaptureMode, StreamCaptureModeGlobal)
REGPRESS_OF(StreamCaptureMode, StreamCaptureModeThreadLocal)
REGPRESS_OF(StreamCaptureMode, StreamCaptureModeRelaxed)
REGPRESS_OF(MemoryType, MemoryTypeHost)
REGPRESS_OF(MemoryType, MemoryTypeDevice)
REGPRESS_OF(MemoryType, MemoryTypeManaged)
REGPRESS_OF(ComputeMode, ComputeModeProhibited)
REGPRESS_OF(ComputeMode, ComputeModeDefault)
#define REGPRESS_FLAG(name) extern const unsigned REGPRESS_API(name);
REGPRESS_FLAG(EventDefault)
REGPRESS_FLAG(EventBlockingSync)
REGPRESS_FLAG(EventDisableTiming)
REGPRESS_FLAG(StreamDefault)
REGPRESS_FLAG(StreamNonBlocking)
REGPRESS_FLAG(HostAllocDefault)
REGPRESS_FLAG(HostAllocPortable)
REGPRESS_FLAG(HostAllocMapped)
REGPRESS_FLAG(HostAllocWriteCombined)
REGPRESS_FLAG(HostRegisterDefault)
REGPRESS_FLAG(HostRegisterPortable)
REGPRESS_FLAG(HostRegisterMapped)
REGPRESS_FLAG(MemAttachGlobal)
REGPRESS_FLAG(MemAttachHost)
REGPRESS_FLAG(DeviceScheduleAuto)
REGPRESS_FLAG(DeviceScheduleSpin)
REGPRESS_FLAG(DeviceScheduleYield)
REGPRESS_FLAG(DeviceScheduleBlockingSync)
REGPRESS_FLAG(DeviceMapHost)
REGPRESS_FLAG(OccupancyDefault)
extern const int REGPRESS_API(CpuDeviceId);
extern const int REGPRESS_API(InvalidDeviceId);

#define REGPRESS_CALL(name) REGPRESS_API(Error_t) REGPRESS_API(name)
typedef REGPRESS_API(Stream_t) regpress_stream;
typedef REGPRESS_API(Event_t) regpress_event;
template <typename T>
REGPRESS_CALL(Malloc)(T **, size_t);
template <typename T>
REGPRESS_CALL(MallocHost)(T **, size_t, unsigned = 0);
template <typename T>
REGPRESS_CALL(HostAlloc)(T **, size_t, unsigned = 0);
template <typename T>
REGPRESS_CALL(MallocManaged)(T **, size_t, unsigned = 1);
template <typename T>
REGPRESS_CALL(MallocAsync)(T **, size_t, regpress_stream);
template <typename T>
REGPRESS_CALL(MallocPitch)(T **, size_t *, size_t, size_t);
REGPRESS_CALL(Malloc3D)(REGPRESS_API(PitchedPtr) *, REGPRESS_API(Extent));
REGPRESS_CALL(Free)(void *);
REGPRESS_CALL(FreeHost)(void *);
REGPRESS_CALL(FreeAsync)(void *, regpress_stream);
REGPRESS_CALL(FreeArray)(REGPRESS_API(Array_t));
REGPRESS_CALL(Memcpy)(void *, const void *, size_t, REGPRESS_API(MemcpyKind));
REGPRESS_CALL(MemcpyAsync)(void *, const void *, size_t, REGPRESS_API(MemcpyKind), regpress_stream = 0);
REGPRESS_CALL(MemcpyPeer)(void *, int, const void *, int, size_t);
REGPRESS_CALL(MemcpyPeerAsync)(void *, int, const void *, int, size_t, regpress_stream = 0);
REGPRESS_CALL(Memcpy2D)(void *, size_t, const void *, size_t, size_t, size_t, REGPRESS_API(MemcpyKind));
REGPRESS_CALL(Memcpy2DAsync)
(void *, size_t, const void *, size_t, size_t, size_t, REGPRESS_API(MemcpyKind), regpress_stream = 0);
REGPRESS_CALL(Memcpy3D)(const REGPRESS_API(Memcpy3DParms) *);
REGPRESS_CALL(Memcpy3DAsync)(const REGPRESS_API(Memcpy3DParms) *, regpress_stream = 0);
REGPRESS_CALL(MemcpyToArray)(REGPRESS_API(Array_t), size_t, size_t, const void *, size_t, REGPRESS_API(MemcpyKind));
REGPRESS_CALL(Memcpy2DToArray)
(REGPRESS_API(Array_t), size_t, size_t, const void *, size_t, size_t, size_t, REGPRESS_API(MemcpyKind));
template <typename T>
REGPRESS_CALL(MemcpyToSymbol)
(const T &, const void *, size_t, size_t = 0, REGPRESS_API(MemcpyKind) = REGPRESS_API(MemcpyHostToDevice));
template <typename T>
REGPRESS_CALL(MemcpyToSymbolAsync)
(const T &, const void *, size_t, size_t, REGPRESS_API(MemcpyKind), regpress_stream = 0);
template <typename T>
REGPRESS_CALL(MemcpyFromSymbol)
(void *, const T &, size_t, size_t = 0, REGPRESS_API(MemcpyKind) = REGPRESS_API(MemcpyDeviceToHost));
template <typename T>
REGPRESS_CALL(MemcpyFromSymbolAsync)
(void *, const T &, size_t, size_t, REGPRESS_API(MemcpyKind), regpress_stream = 0);
template <typename T>
REGPRESS_CALL(GetSymbolAddress)(void **, const T &);
template <typename T>
REGPRESS_CALL(GetSymbolSize)(size_t *, const T &);
REGPRESS_CALL(Memset)(void *, int, size_t);
REGPRESS_CALL(MemsetAsync)(void *, int, size_t, regpress_stream = 0);
REGPRESS_CALL(Memset2D)(void *, size_t, int, size_t, size_t);
REGPRESS_CALL(Memset2DAsync)(void *, size_t, int, size_t, size_t, regpress_stream = 0);
REGPRESS_CALL(Memset3D)(REGPRESS_API(PitchedPtr), int, REGPRESS_API(Extent));
REGPRESS_CALL(MemGetInfo)(size_t *, size_t *);
template <typename... A>
REGPRESS_CALL(MemPrefetchAsync)(const void *, size_t, A...);
template <typename... A>
REGPRESS_CALL(MemAdvise)(const void *, size_t, A...);
template <typename... A>
REGPRESS_CALL(MemPoolSetAttribute)(A...);
REGPRESS_CALL(DeviceGetDefaultMemPool)(REGPRESS_API(MemPool_t) *, int);
REGPRESS_CALL(HostRegister)(void *, size_t, unsigned);
REGPRESS_CALL(HostUnregister)(void *);
template <typename T>
REGPRESS_CALL(HostGetDevicePointer)(T **, void *, unsigned);
REGPRESS_CALL(PointerGetAttributes)(REGPRESS_API(PointerAttributes) *, const void *);
REGPRESS_CALL(GetLastError)();
REGPRESS_CALL(PeekAtLastError)();
const char *REGPRESS_API(GetErrorString)(REGPRESS_API(Error_t));
const char *REGPRESS_API(GetErrorName)(REGPRESS_API(Error_t));
REGPRESS_CALL(DeviceSynchronize)();
REGPRESS_CALL(DeviceReset)();
REGPRESS_CALL(ThreadSynchronize)();
REGPRESS_CALL(ThreadExit)();
REGPRESS_CALL(SetDevice)(int);
REGPRESS_CALL(GetDevice)(int *);
REGPRESS_CALL(GetDeviceCount)(int *);
REGPRESS_CALL(SetDeviceFlags)(unsigned);
REGPRESS_CALL(ChooseDevice)(int *, const REGPRESS_PROP_TAG *);
REGPRESS_CALL(GetDeviceProperties)(REGPRESS_PROP_TAG *, int);
REGPRESS_CALL(DeviceSetLimit)(REGPRESS_API(Limit), size_t);
REGPRESS_CALL(DeviceGetLimit)(size_t *, REGPRESS_API(Limit));
REGPRESS_CALL(DeviceSetCacheConfig)(REGPRESS_API(FuncCache));
REGPRESS_CALL(DeviceSetSharedMemConfig)(REGPRESS_API(SharedMemConfig));
REGPRESS_CALL(DeviceCanAccessPeer)(int *, int, int);
REGPRESS_CALL(DeviceEnablePeerAccess)(int, unsigned);
REGPRESS_CALL(DeviceDisablePeerAccess)(int);
REGPRESS_CALL(DeviceGetStreamPriorityRange)(int *, int *);
REGPRESS_CALL(DeviceGetPCIBusId)(char *, int, int);
REGPRESS_CALL(DriverGetVersion)(int *);
REGPRESS_CALL(RuntimeGetVersion)(int *);
REGPRESS_CALL(StreamCreate)(regpress_stream *);
REGPRESS_CALL(StreamCreateWithFlags)(regpress_stream *, unsigned);
REGPRESS_CALL(StreamCreateWithPriority)(regpress_stream *, unsigned, int);
REGPRESS_CALL(StreamDestroy)(regpress_stream);
REGPRESS_CALL(StreamSynchronize)(regpress_stream);
REGPRESS_CALL(StreamQuery)(regpress_stream);
REGPRESS_CALL(StreamWaitEvent)(regpress_stream, regpress_event, unsigned = 0);
template <typename F>
REGPRESS_CALL(StreamAddCallback)(regpress_stream, F, void *, unsigned);
template <typename F>
REGPRESS_CALL(LaunchHostFunc)(regpress_stream, F, void *);
template <typename T>
REGPRESS_CALL(StreamAttachMemAsync)(regpress_stream, T *, size_t = 0, unsigned = 4);
REGPRESS_CALL(StreamBeginCapture)(regpress_stream, REGPRESS_API(StreamCaptureMode));
REGPRESS_CALL(StreamEndCapture)(regpress_stream, REGPRESS_API(Graph_t) *);
REGPRESS_CALL(EventCreate)(regpress_event *, unsigned = 0);
REGPRESS_CALL(EventCreateWithFlags)(regpress_event *, unsigned);
REGPRESS_CALL(EventRecord)(regpress_event, regpress_stream = 0);
REGPRESS_CALL(EventSynchronize)(regpress_event);
REGPRESS_CALL(EventQuery)(regpress_event);
REGPRESS_CALL(EventElapsedTime)(float *, regpress_event, regpress_event);
REGPRESS_CALL(EventDestroy)(regpress_event);
REGPRESS_CALL(GraphCreate)(REGPRESS_API(Graph_t) *, unsigned);
template <typename... A>
REGPRESS_CALL(GraphInstantiate)(REGPRESS_API(GraphExec_t) *, REGPRESS_API(Graph_t), A...);
REGPRESS_CALL(GraphLaunch)(REGPRESS_API(GraphExec_t), regpress_stream);
REGPRESS_CALL(GraphDestroy)(REGPRESS_API(Graph_t));
REGPRESS_CALL(GraphExecDestroy)(REGPRESS_API(GraphExec_t));
template <typename... A>
REGPRESS_CALL(GraphAddKernelNode)(A...);
template <typename... A>
REGPRESS_CALL(GraphAddMemcpyNode)(A...);
template <typename... A>
REGPRESS_CALL(GraphAddMemsetNode)(A...);
template <typename F>
REGPRESS_CALL(FuncSetCacheConfig)(F *, REGPRESS_API(FuncCache));
template <typename F>
REGPRESS_CALL(FuncSetAttribute)(F *, REGPRESS_API(FuncAttribute), int);
template <typename F>
REGPRESS_CALL(FuncSetSharedMemConfig)(F *, REGPRESS_API(SharedMemConfig));
template <typename F>
REGPRESS_CALL(FuncGetAttributes)(REGPRESS_API(FuncAttributes) *, F *);
template <typename F>
REGPRESS_CALL(OccupancyMaxPotentialBlockSize)(int *, int *, F, size_t = 0, int = 0);
template <typename F, typename G>
REGPRESS_CALL(OccupancyMaxPotentialBlockSizeVariableSMem)(int *, int *, F, G, int = 0);
template <typename F>
REGPRESS_CALL(OccupancyMaxActiveBlocksPerMultiprocessor)(int *, F, int, size_t);
template <typename F>
REGPRESS_CALL(LaunchKernel)(F *, dim3, dim3, void **, size_t = 0, regpress_stream = 0);
template <typename F>
REGPRESS_CALL(LaunchCooperativeKernel)(F *, dim3, dim3, void **, size_t = 0, regpress_stream = 0);
REGPRESS_CALL(ProfilerStart)();
REGPRESS_CALL(ProfilerStop)();

// ------------------------------------------------------------------------------------- textures
REGPRESS_ENUM(ChannelFormatKind)
REGPRESS_OF(ChannelFormatKind, ChannelFormatKindSigned)
REGPRESS_OF(ChannelFormatKind, ChannelFormatKindUnsigned)
REGPRESS_OF(ChannelFormatKind, ChannelFormatKindFloat)
REGPRESS_OF(ChannelFormatKind, ChannelFormatKindNone)
struct REGPRESS_API(ChannelFormatDesc) {
  int x, y, z, w;
  REGPRESS_API(ChannelFormatKind) f;
};
enum REGPRESS_MODE_TAG { REGPRESS_API(ReadModeElementType) = 0, REGPRESS_API(ReadModeNormalizedFloat) = 1 };
REGPRESS_ENUM(TextureAddressMode)
REGPRESS_OF(TextureAddressMode, AddressModeWrap)
REGPRESS_OF(TextureAddressMode, AddressModeClamp)
REGPRESS_OF(TextureAddressMode, AddressModeMirror)
REGPRESS_OF(TextureAddressMode, AddressModeBorder)
REGPRESS_ENUM(TextureFilterMode)
REGPRESS_OF(TextureFilterMode, FilterModePoint)
REGPRESS_OF(TextureFilterMode, FilterModeLinear)
REGPRESS_ENUM(ResourceType)
REGPRESS_OF(ResourceType, ResourceTypeArray)
REGPRESS_OF(ResourceType, ResourceTypeMipmappedArray)
REGPRESS_OF(ResourceType, ResourceTypeLinear)
REGPRESS_OF(ResourceType, ResourceTypePitch2D)
struct REGPRESS_UNSIZED REGPRESS_API(ResourceDesc) {
  REGPRESS_API(ResourceType) resType;
  struct {
    struct {
      REGPRESS_API(Array_t) array;
    } array;
    struct {
      void *devPtr;
      REGPRESS_API(ChannelFormatDesc) desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      REGPRESS_API(ChannelFormatDesc) desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
};
struct REGPRESS_UNSIZED REGPRESS_API(TextureDesc) {
  REGPRESS_API(TextureAddressMode) addressMode[3];
  REGPRESS_API(TextureFilterMode) filterMode;
  REGPRESS_MODE_TAG readMode;
  int sRGB, normalizedCoords, maxAnisotropy;
  float borderColor[4];
};
#define REGPRESS_CHANNEL REGPRESS_API(ChannelFormatDesc) REGPRESS_API(CreateChannelDesc)
template <typename T>
REGPRESS_CHANNEL();
REGPRESS_CHANNEL(int, int, int, int, REGPRESS_API(ChannelFormatKind));
typedef REGPRESS_OBJECT REGPRESS_API(TextureObject_t);
typedef REGPRESS_OBJECT REGPRESS_API(SurfaceObject_t);
REGPRESS_CALL(CreateTextureObject)
(REGPRESS_API(TextureObject_t) *, const REGPRESS_API(ResourceDesc) *, const REGPRESS_API(TextureDesc) *, const void *);
REGPRESS_CALL(DestroyTextureObject)(REGPRESS_API(TextureObject_t));
REGPRESS_CALL(CreateSurfaceObject)(REGPRESS_API(SurfaceObject_t) *, const REGPRESS_API(ResourceDesc) *);
REGPRESS_CALL(DestroySurfaceObject)(REGPRESS_API(SurfaceObject_t));
REGPRESS_CALL(MallocArray)
(REGPRESS_API(Array_t) *, const REGPRESS_API(ChannelFormatDesc) *, size_t, size_t = 0, unsigned = 0);
REGPRESS_CALL(Malloc3DArray)
(REGPRESS_API(Array_t) *, const REGPRESS_API(ChannelFormatDesc) *, REGPRESS_API(Extent), unsigned = 0);
template <typename... A>
REGPRESS_CALL(BindTexture)(A &&...);
template <typename... A>
REGPRESS_CALL(BindTexture2D)(A &&...);
template <typename... A>
REGPRESS_CALL(BindTextureToArray)(A &&...);
template <typename... A>
REGPRESS_CALL(UnbindTexture)(A &&...);
REGPRESS_END

// A texture reference of the old kind: what a fetch gives is its element, or float for a normalized one.
template <typename T, int Dimensions = 1, REGPRESS_MODE_TAG Mode = REGPRESS_API(ReadModeElementType)>
struct REGPRESS_UNSIZED __attribute__((device_builtin_texture_type)) texture {
  int normalized;
  REGPRESS_API(TextureFilterMode) filterMode;
  REGPRESS_API(TextureAddressMode) addressMode[3];
  REGPRESS_API(ChannelFormatDesc) channelDesc;
};
template <typename T, int Dimensions = 1>
struct REGPRESS_UNSIZED __attribute__((device_builtin_surface_type)) surface {};
#define REGPRESS_FETCH(name, ...)                                   \
  template <typename T, int D, REGPRESS_MODE_TAG M>                 \
  REGPRESS_DEVICE T name(texture<T, D, M>, __VA_ARGS__);            \
  template <typename T>                                             \
  REGPRESS_DEVICE T name(REGPRESS_API(TextureObject_t), __VA_ARGS__); \
  template <typename T>                                             \
  REGPRESS_DEVICE void name(T *, REGPRESS_API(TextureObject_t), __VA_ARGS__);
REGPRESS_FETCH(tex1Dfetch, int)
REGPRESS_FETCH(tex1D, float)
REGPRESS_FETCH(tex2D, float, float)
REGPRESS_FETCH(tex3D, float, float, float)
REGPRESS_FETCH(tex1DLod, float, float)
REGPRESS_FETCH(tex2DLod, float, float, float)
REGPRESS_FETCH(tex3DLod, float, float, float, float)
REGPRESS_FETCH(tex1DLayered, float, int)
REGPRESS_FETCH(tex2DLayered, float, float, int)
REGPRESS_FETCH(texCubemap, float, float, float)
REGPRESS_FETCH(tex2Dgather, float, float, int = 0)
#define REGPRESS_SURFACE(suffix, ...)                                                        \
  template <typename T>                                                                      \
  REGPRESS_DEVICE T surf##suffix##read(REGPRESS_API(SurfaceObject_t), __VA_ARGS__, int = 0); \
  template <typename T>                                                                      \
  REGPRESS_DEVICE void surf##suffix##read(T *, REGPRESS_API(SurfaceObject_t), __VA_ARGS__, int = 0); \
  template <typename T>                                                                      \
  REGPRESS_DEVICE void surf##suffix##write(T, REGPRESS_API(SurfaceObject_t), __VA_ARGS__, int = 0);
REGPRESS_SURFACE(1D, int)
REGPRESS_SURFACE(2D, int, int)
REGPRESS_SURFACE(3D, int, int, int)
REGPRESS_SURFACE(2DLayered, int, int, int)
