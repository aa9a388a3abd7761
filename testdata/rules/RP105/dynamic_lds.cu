// LDS whose size is not in view can only make it worse: the part that is in view counts.
#include <cuda_runtime.h>

// expect-next-line: RP105 info "limited by LDS (at least 46,080 bytes per block)"
__global__ void stage(const float* a, float* b, int m) {
  __shared__ float s[11520];
  extern __shared__ float more[];
  for (int k = threadIdx.x; k < 11520; k += 64) s[k] = a[blockIdx.x * 11520 + k];
  for (int k = threadIdx.x; k < m; k += 64) more[k] = a[k];
  __syncthreads();
  b[blockIdx.x * 64 + threadIdx.x] = s[11520 - 1 - threadIdx.x] + more[threadIdx.x % m];
}

void run(const float* a, float* b, int n, int m) { stage<<<n, 64, m * sizeof(float)>>>(a, b, m); }

// Nothing is known of this one.
__global__ void open(const float* a, float* b, int m) {
  extern __shared__ float more[];
  for (int k = threadIdx.x; k < m; k += 64) more[k] = a[k];
  __syncthreads();
  b[blockIdx.x * 64 + threadIdx.x] = more[threadIdx.x % m];
}

void run_open(const float* a, float* b, int n, int m) { open<<<n, 64, m * sizeof(float)>>>(a, b, m); }
