// Heads and neighbours of definitions that real headers have: all of these kernels are read.
#include <cuda_runtime.h>

#define CASE_8 8
#define CASE_16 16
#define CASE_32 32
#define BOUNDS(threads) __launch_bounds__(threads)
#define DISPATCH_BLOCK(block, BLOCK, ...) \
  if (block >= CASE_32) {                 \
    constexpr int BLOCK = 32;             \
    __VA_ARGS__                           \
  } else {                                \
    constexpr int BLOCK = 8;              \
    __VA_ARGS__                           \
  }
#define DISPATCH_FLAG(flag, FLAG, ...) \
  if (flag) {                          \
    constexpr bool FLAG = true;        \
    __VA_ARGS__                        \
  } else {                             \
    constexpr bool FLAG = false;       \
    __VA_ARGS__                        \
  }

inline const char* text = R"""(
extern "C" __global__ void inside_a_string(float* p) {
  p[0] = 1;
}
)""";

// Statements as an argument that begin with such a dispatch themselves.
template <typename T>
cudaError_t launch(T* in, T* out, int block, bool flag) {
  DISPATCH_BLOCK(block, BLOCK, {DISPATCH_FLAG(flag, FLAG, {
    if (FLAG) {
      out[0] = in[0];
      out[BLOCK] = in[1];
    }
  })});
  return cudaSuccess;
}

template <int THREADS, typename T>
__global__ BOUNDS(THREADS) void scaled(T* p, T by) {
  for (int i = 0; i < THREADS; ++i) {  // expect: RP001 @19 "no instantiation says what the template argument `THREADS` is"
    p[i] *= by;
  }
}

template <typename Operator>
__global__
#ifdef __CUDACC__
// Other compilers warn about it.
__launch_bounds__(Operator::threads, Operator::blocks)
#endif
void run(typename Operator::Params const params) {
  Operator op;  // expect: RP001 @12 "no instantiation says what `Operator` is"
  op(params);
}

BOUNDS(1) __global__ void empty(){};
