// Blocks that fill their warps or the slots of an SM badly.
#include <cuda_runtime.h>

__global__ void partial(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

// expect-next-line: RP106 warning "`partial` is launched with 48 threads per block: 16 of the 64 lanes of its 2 waves of 32 are idle on sm_90 (25%)"
void run(const float* a, float* b, int n) { partial<<<(n + 47) / 48, 48>>>(a, b, n); }

__global__ void single(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

// expect-next-line: RP106 info "32 blocks fill 32 of 64 wave slots of an SM on sm_90 (limited by block slots), blocks of 64 would fill 64"
void run_single(const float* a, float* b, int n) { single<<<(n + 31) / 32, 32>>>(a, b, n); }

__global__ void three_quarters(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

// Three quarters of the slots: measured to cost 1.0 to 1.3 times the time.
// expect-next-line: RP106 info "2 blocks fill 48 of 64 wave slots of an SM on sm_90" "blocks of 512 would fill 64"
void run_three_quarters(const float* a, float* b, int n) { three_quarters<<<(n + 767) / 768, 768>>>(a, b, n); }
