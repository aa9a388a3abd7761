// Roles that fit, that fit exactly, and those of which the source does not say how many there are.
template <int R> __device__ __forceinline__ void more() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(R)); }
template <int R> __device__ __forceinline__ void less() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" ::"n"(R)); }

__global__ void __launch_bounds__(384, 1) exactly(const float* a, float* o) {
  int group = __shfl_sync(0xffffffff, threadIdx.x / 128, 0);
  switch (group) {
    case 0: less<24>(); break;
    default: more<240>(); o[threadIdx.x] = a[threadIdx.x];
  }
}

__global__ void __launch_bounds__(512, 1) three(const float* a, float* o) {
  if (threadIdx.x >= 384) {
    less<32>();
    return;
  }
  more<160>();
  o[threadIdx.x] = a[threadIdx.x];
}

__global__ void __maxnreg__(168) capped(const float* a, float* o) {
  if (threadIdx.x < 128) less<24>();
  else more<240>();
  o[threadIdx.x] = a[threadIdx.x];
}

__global__ void __launch_bounds__(512, 1) by_argument(const float* a, float* o, int producers) {
  if (threadIdx.x / 128 < producers) less<24>();
  else more<240>();
  o[threadIdx.x] = a[threadIdx.x];
}
