// What a release build may not have: assertions, and functions that only say that they are not there.
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>

template <int N>
struct Op {
  static __device__ void run(float* a) { assert(false && "not implemented"); }
};
template <>
struct Op<4> {
  static __device__ void run(float* a) { a[threadIdx.x] = 4; }
};
template <int N>
__global__ void specialised(float* a) {
  Op<N>::run(a);
}

template <int THREADS>
__global__ void checked(float* a) {
  assert(THREADS % 32 == 0);
  a[threadIdx.x] = THREADS;
}

void run(float* a) {
  specialised<4><<<4096, 64>>>(a);
  checked<64><<<4096, 64>>>(a);
  checked<128><<<4096, 128>>>(a);
}

__global__ void refused(float* a, int n) {
#if __CUDA_ARCH__ >= 800 || __gfx90a__
  a[threadIdx.x] = n;
#else
  printf("not for this GPU\n");
#endif
}

__device__ __noinline__ void unsupported() {
  printf("unsupported\n");  // expect: RP204 info @3 "`printf`"
  __builtin_trap();
}

__global__ void guarded(float* a, int n) {
  if (n > 4) unsupported();
  a[threadIdx.x] = 1;
}

__global__ void asserted(float* a, int n) {
  assert(n > 3);  // expect: RP204 info @3 "`assert`"
  a[threadIdx.x] = n;
}
