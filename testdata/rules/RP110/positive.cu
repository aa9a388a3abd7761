// Roles that want more than the block has, and roles that nvcc ignores (nvcc 13.0.88, C7508).
template <int R> __device__ __forceinline__ void more() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(R)); }
template <int R> __device__ __forceinline__ void less() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" ::"n"(R)); }

__global__ void __launch_bounds__(512, 1) halves(const float* a, float* o) {
  int group = threadIdx.x / 128;
  if (group < 2) {
    less<24>();
  } else {
    more<240>();  // expect: RP110 @5 "want 67,584 registers of a block (256 threads x 24 and 256 threads x 240), and the launch gives it 65,536"
    o[threadIdx.x] = a[threadIdx.x];
  }
}

// Two blocks on an SM: 128 registers a thread at first, 32,768 of a block.
__global__ void __launch_bounds__(256, 2) two_blocks(const float* a, float* o) {
  if (threadIdx.x >= 128) {
    less<24>();
    return;
  }
  more<240>();  // expect: RP110 "gives it 32,768"
  o[threadIdx.x] = a[threadIdx.x];
}

__global__ void __launch_bounds__(384) no_second(const float* a, float* o) {
  if (threadIdx.x < 128) {
    less<24>();  // expect: RP110 @5 "does not say how many blocks"
  } else {
    more<240>();
    o[threadIdx.x] = a[threadIdx.x];
  }
}

__global__ void no_bounds(const float* a, float* o) {
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");  // expect: RP110 "neither launch bounds nor"
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    o[threadIdx.x] = a[threadIdx.x];
  }
}
