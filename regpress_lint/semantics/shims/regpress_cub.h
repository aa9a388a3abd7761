// cub and hipcub: the includer defines REGPRESS_CUB. The shared memory that an operation takes is known to the vendor's
// library only: every TempStorage stays incomplete, so its size is never answered.
#include <regpress_gpu.h>
#include <iterator>
#include <limits>
REGPRESS_BEGIN
namespace REGPRESS_CUB {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

#define REGPRESS_VOID(name)   \
  template <typename... A>    \
  void name(A &&...) const;
#define REGPRESS_COLLECTIVE(name)  \
  struct TempStorage;              \
  name();                          \
  name(TempStorage &);             \
  template <typename... A>         \
  name(TempStorage &, A...);
template <typename T, int N, auto... More>
struct REGPRESS_UNSIZED BlockReduce {
  REGPRESS_COLLECTIVE(BlockReduce)
  T Sum(T) const;
  T Sum(T, int) const;
  template <int I>
  T Sum(T (&)[I]) const;
  template <typename F>
  T Reduce(T, F) const;
  template <typename F>
  T Reduce(T, F, int) const;
  template <int I, typename F>
  T Reduce(T (&)[I], F) const;
};
template <typename T, int N = 32, auto... More>
struct REGPRESS_UNSIZED WarpReduce {
  REGPRESS_COLLECTIVE(WarpReduce)
  T Sum(T) const;
  T Sum(T, int) const;
  template <typename F>
  T Reduce(T, F) const;
  template <typename F>
  T Reduce(T, F, int) const;
  template <typename H>
  T HeadSegmentedSum(T, H) const;
  template <typename H>
  T TailSegmentedSum(T, H) const;
  template <typename H, typename F>
  T HeadSegmentedReduce(T, H, F) const;
};
#define REGPRESS_SCANS          \
  REGPRESS_VOID(InclusiveSum)   \
  REGPRESS_VOID(ExclusiveSum)   \
  REGPRESS_VOID(InclusiveScan)  \
  REGPRESS_VOID(ExclusiveScan)  \
  REGPRESS_VOID(Sum)            \
  REGPRESS_VOID(Scan)
template <typename T, int N, auto... More>
struct REGPRESS_UNSIZED BlockScan {
  REGPRESS_COLLECTIVE(BlockScan)
  REGPRESS_SCANS
};
template <typename T, int N = 32, auto... More>
struct REGPRESS_UNSIZED WarpScan {
  REGPRESS_COLLECTIVE(WarpScan)
  REGPRESS_SCANS
  T Broadcast(T, unsigned) const;
};
#define REGPRESS_LOADER(name, method)                      \
  template <typename T, int N, int Items, auto... More>    \
  struct REGPRESS_UNSIZED name {                           \
    REGPRESS_COLLECTIVE(name)                              \
    REGPRESS_VOID(method)                                  \
  };
REGPRESS_LOADER(BlockLoad, Load)
REGPRESS_LOADER(BlockStore, Store)
REGPRESS_LOADER(WarpLoad, Load)
REGPRESS_LOADER(WarpStore, Store)
#define REGPRESS_EXCHANGES            \
  REGPRESS_VOID(StripedToBlocked)     \
  REGPRESS_VOID(BlockedToStriped)     \
  REGPRESS_VOID(WarpStripedToBlocked) \
  REGPRESS_VOID(BlockedToWarpStriped) \
  REGPRESS_VOID(ScatterToBlocked)     \
  REGPRESS_VOID(ScatterToStriped)
template <typename T, int N, int Items, auto... More>
struct REGPRESS_UNSIZED BlockExchange {
  REGPRESS_COLLECTIVE(BlockExchange)
  REGPRESS_EXCHANGES
};
template <typename T, int Items, auto... More>
struct REGPRESS_UNSIZED WarpExchange {
  REGPRESS_COLLECTIVE(WarpExchange)
  REGPRESS_EXCHANGES
};
struct NullType {};
template <typename K, int N, int Items, typename V = NullType, auto... More>
struct REGPRESS_UNSIZED BlockRadixSort {
  REGPRESS_COLLECTIVE(BlockRadixSort)
  REGPRESS_VOID(Sort)
  REGPRESS_VOID(SortDescending)
  REGPRESS_VOID(SortBlockedToStriped)
  REGPRESS_VOID(SortDescendingBlockedToStriped)
};
template <typename K, int N, int Items, typename V = NullType, auto... More>
struct REGPRESS_UNSIZED BlockMergeSort {
  REGPRESS_COLLECTIVE(BlockMergeSort)
  REGPRESS_VOID(Sort)
  REGPRESS_VOID(StableSort)
};
template <typename T, int N, int Items, int Bins, auto... More>
struct REGPRESS_UNSIZED BlockHistogram {
  REGPRESS_COLLECTIVE(BlockHistogram)
  REGPRESS_VOID(InitHistogram)
  REGPRESS_VOID(Histogram)
  REGPRESS_VOID(Composite)
};
template <typename T, int N, auto... More>
struct REGPRESS_UNSIZED BlockDiscontinuity {
  REGPRESS_COLLECTIVE(BlockDiscontinuity)
  REGPRESS_VOID(FlagHeads)
  REGPRESS_VOID(FlagTails)
  REGPRESS_VOID(FlagHeadsAndTails)
};
template <typename T, int N, auto... More>
struct REGPRESS_UNSIZED BlockAdjacentDifference {
  REGPRESS_COLLECTIVE(BlockAdjacentDifference)
  REGPRESS_VOID(SubtractLeft)
  REGPRESS_VOID(SubtractRight)
};
template <typename T, int N, auto... More>
struct REGPRESS_UNSIZED BlockShuffle {
  REGPRESS_COLLECTIVE(BlockShuffle)
  REGPRESS_VOID(Offset)
  REGPRESS_VOID(Up)
  REGPRESS_VOID(Down)
};
#define REGPRESS_FREE(name) \
  template <typename... A>  \
  void name(A &&...);
#define REGPRESS_FREE_N(name)         \
  template <int N, typename... A>     \
  void name(A &&...);
REGPRESS_FREE(LoadDirectBlocked)
REGPRESS_FREE(LoadDirectBlockedVectorized)
REGPRESS_FREE(StoreDirectBlocked)
REGPRESS_FREE(StoreDirectBlockedVectorized)
REGPRESS_FREE_N(LoadDirectStriped)
REGPRESS_FREE_N(StoreDirectStriped)
REGPRESS_FREE_N(LoadDirectWarpStriped)
REGPRESS_FREE_N(StoreDirectWarpStriped)
template <CacheLoadModifier M, typename P>
auto ThreadLoad(P place) -> typename std::iterator_traits<P>::value_type;
template <CacheStoreModifier M, typename P, typename T>
void ThreadStore(P, T);
template <int N, typename T>
T ShuffleDown(T, int, int, unsigned);
template <int N, typename T>
T ShuffleUp(T, int, int, unsigned);
template <int N, typename T>
T ShuffleIndex(T, int, unsigned);
unsigned LaneId();
unsigned WarpId();
int RowMajorTid(int, int, int);
void CTA_SYNC();

struct Sum {
  template <typename A, typename B>
  constexpr auto operator()(const A &a, const B &b) const -> decltype(a + b) {
    return a + b;
  }
};
struct Max {
  template <typename A>
  constexpr A operator()(const A &a, const A &b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <typename A>
  constexpr A operator()(const A &a, const A &b) const {
    return b < a ? b : a;
  }
};
struct ArgMax {
  template <typename A>
  constexpr A operator()(const A &a, const A &b) const {
    return a.value < b.value ? b : a;
  }
};
struct ArgMin {
  template <typename A>
  constexpr A operator()(const A &a, const A &b) const {
    return b.value < a.value ? b : a;
  }
};
struct Equality {
  template <typename A>
  constexpr bool operator()(const A &a, const A &b) const {
    return a == b;
  }
};
struct Inequality {
  template <typename A>
  constexpr bool operator()(const A &a, const A &b) const {
    return a != b;
  }
};
template <typename T>
struct CastOp {
  template <typename A>
  constexpr T operator()(const A &a) const {
    return static_cast<T>(a);
  }
};
template <typename K, typename V>
struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  constexpr KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
};
template <int Bytes>
struct regpress_bits;
template <>
struct regpress_bits<1> {
  typedef unsigned char type;
};
template <>
struct regpress_bits<2> {
  typedef unsigned short type;
};
template <>
struct regpress_bits<4> {
  typedef unsigned type;
};
template <>
struct regpress_bits<8> {
  typedef unsigned long long type;
};
template <typename T>
struct Traits : std::numeric_limits<T> {
  typedef typename regpress_bits<sizeof(T)>::type UnsignedBits;
  static UnsignedBits TwiddleIn(UnsignedBits);
  static UnsignedBits TwiddleOut(UnsignedBits);
  static T Lowest();
  static T Max();
};
template <typename T>
using NumericTraits = Traits<T>;
template <typename T>
struct DoubleBuffer {
  T *d_buffers[2];
  int selector;
  DoubleBuffer();
  DoubleBuffer(T *, T *);
  T *Current();
  T *Alternate();
};
#define REGPRESS_CUB_ITERATOR(name)                                              \
  template <typename T, typename... R>                                           \
  struct REGPRESS_UNSIZED name : std::regpress_iterator<T> {                     \
    template <typename... A>                                                     \
    name(A &&...);                                                               \
    T operator[](ptrdiff_t) const;                                               \
    T operator*() const;                                                         \
    name operator+(ptrdiff_t) const;                                             \
  };
REGPRESS_CUB_ITERATOR(CountingInputIterator)
REGPRESS_CUB_ITERATOR(ConstantInputIterator)
REGPRESS_CUB_ITERATOR(TransformInputIterator)
REGPRESS_CUB_ITERATOR(ArgIndexInputIterator)
REGPRESS_CUB_ITERATOR(TexObjInputIterator)
REGPRESS_CUB_ITERATOR(DiscardOutputIterator)
// What the functions over the whole device give: an error code of the runtime.
struct regpress_code {
  template <typename E>
  operator E() const;
};
#define REGPRESS_DEVICE_WIDE(name) \
  template <typename... A>         \
  static regpress_code name(A &&...);
struct DeviceReduce {
  REGPRESS_DEVICE_WIDE(Sum)
  REGPRESS_DEVICE_WIDE(Min)
  REGPRESS_DEVICE_WIDE(Max)
  REGPRESS_DEVICE_WIDE(ArgMin)
  REGPRESS_DEVICE_WIDE(ArgMax)
  REGPRESS_DEVICE_WIDE(Reduce)
  REGPRESS_DEVICE_WIDE(ReduceByKey)
};
struct DeviceSegmentedReduce : DeviceReduce {};
struct DeviceScan {
  REGPRESS_DEVICE_WIDE(ExclusiveSum)
  REGPRESS_DEVICE_WIDE(InclusiveSum)
  REGPRESS_DEVICE_WIDE(ExclusiveScan)
  REGPRESS_DEVICE_WIDE(InclusiveScan)
  REGPRESS_DEVICE_WIDE(ExclusiveSumByKey)
};
struct DeviceSelect {
  REGPRESS_DEVICE_WIDE(Flagged)
  REGPRESS_DEVICE_WIDE(If)
  REGPRESS_DEVICE_WIDE(Unique)
};
struct DevicePartition : DeviceSelect {};
struct DeviceRadixSort {
  REGPRESS_DEVICE_WIDE(SortKeys)
  REGPRESS_DEVICE_WIDE(SortPairs)
  REGPRESS_DEVICE_WIDE(SortKeysDescending)
  REGPRESS_DEVICE_WIDE(SortPairsDescending)
};
struct DeviceSegmentedRadixSort : DeviceRadixSort {};
struct DeviceMergeSort : DeviceRadixSort {};
struct DeviceHistogram {
  REGPRESS_DEVICE_WIDE(HistogramEven)
  REGPRESS_DEVICE_WIDE(HistogramRange)
};
struct DeviceRunLengthEncode {
  REGPRESS_DEVICE_WIDE(Encode)
};
struct REGPRESS_UNSIZED CachingDeviceAllocator {
  template <typename... A>
  CachingDeviceAllocator(A...);
  template <typename... A>
  regpress_code DeviceAllocate(A &&...);
  regpress_code DeviceFree(void *);
};
}  // namespace REGPRESS_CUB
REGPRESS_END
