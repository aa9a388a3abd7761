// Own slots behind a pointer that is set once, in strides of `blockDim.x`, and in dynamic shared memory.
#include <cuda_runtime.h>

__global__ void strides(const float* a, float* o, int n) {
  extern __shared__ float sums[];  // expect: RP801 @27 "its own 16 elements of `sums`" "16,384 bytes"
  const int t = threadIdx.x, threads = blockDim.x, g = blockIdx.x * threads + t;
  for (int k = 0; k < 16; ++k) sums[t + k * threads] = 0.f;
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < 16; ++k) sums[t + k * threads] += a[g + (r * 16 + k) * n];
  for (int k = 0; k < 16; ++k) o[g + k * n] = sums[t + k * threads];
}

__global__ void pointer(const float* a, float* o, int n) {
  __shared__ float rows[256 * 17];  // expect: RP801 @20 "its own 17 elements of `rows`"
  float* own = &rows[threadIdx.x * 17];
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; ++k) own[k] = a[g + k * n];
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < 16; ++k) own[k] = own[k] * 0.5f + own[(k + 1) % 16];
  for (int k = 0; k < 16; ++k) o[g + k * n] = own[k];
}

// A pointer that moves may reach the next thread's row.
__global__ void moved(const float* a, float* o, int n) {
  __shared__ float rows[256 * 17];
  float* own = &rows[threadIdx.x * 17];
  for (int r = 0; r < n; ++r) {
    own[0] = a[r];
    own += 1;
  }
  o[threadIdx.x] = own[0];
}

void run(const float* a, float* o, int n) {
  strides<<<n, 256, 16 * 256 * sizeof(float)>>>(a, o, n);
  pointer<<<n, 256>>>(a, o, n);
  moved<<<n, 256>>>(a, o, n);
}
