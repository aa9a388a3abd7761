// Several launches: a warning only if none of them may fill a unit.
#include <hip/hip_runtime.h>

// expect-next-line: RP105 info @40 "as launched at line 15 (other launches differ): limited by LDS (46,080 bytes per block)"
__global__ void __launch_bounds__(128) both(const float* a, float* b) {
  __shared__ float s[11520];
  for (int k = threadIdx.x; k < 11520; k += blockDim.x) s[k] = a[blockIdx.x * 11520 + k];
  __syncthreads();
  b[blockIdx.x * blockDim.x + threadIdx.x] = s[11520 - 1 - threadIdx.x];
}

void run_both(const float* a, float* b, int n) {
  both<<<n, 64>>>(a, b);
  if (n < 4096)
    both<<<n, 128>>>(a, b);
}

// The second launch's size is not in view.
// expect-next-line: RP105 info "as launched at line 28 (other launches differ)"
__global__ void one(const float* a, float* b) {
  __shared__ float s[11520];
  for (int k = threadIdx.x; k < 11520; k += blockDim.x) s[k] = a[blockIdx.x * 11520 + k];
  __syncthreads();
  b[blockIdx.x * blockDim.x + threadIdx.x] = s[11520 - 1 - threadIdx.x];
}

void run_one(const float* a, float* b, int n, int size) {
  one<<<n, 64>>>(a, b);
  one<<<n, size>>>(a, b);
}
