// What needs a stack frame with nvcc.
#include <cuda_runtime.h>

__device__ __noinline__ float energy(const float* v) { return v[0] * v[11] + v[5]; }
__device__ float first_of(const float* v) { return v[0] * v[3]; }
__device__ float second_of(const float* v) { return v[1] + v[2]; }

__global__ void handed(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];  // expect: RP409 warning @9 "`energy`, which is not inlined"
  for (int j = 0; j < 12; ++j) v[j] = a[j * n + i];
  b[i] = energy(&v[0]);
}

__global__ void chosen(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[4];  // expect: RP409 warning @9 "the function that `pick` points to"
  for (int j = 0; j < 4; ++j) v[j] = a[j * n + i];
  float (*pick)(const float*) = m > 3 ? first_of : second_of;
  b[i] = pick(v);  // expect: RP701 warning @10
}

__device__ __noinline__ float scaled(const float* v, float by, int to) { return by * v[to & 7] + v[1]; }

__global__ void three(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[8];  // expect: RP409 warning @9 "`scaled`, which is not inlined"
  for (int j = 0; j < 8; ++j) v[j] = a[j * n + i];
  b[i] = scaled(&v[0], a[i], 5);
}

// Another file defines it.
__device__ float distant(const float* v, int n);

__global__ void linked(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect-next-line: RP409 @9 "another file defines"
  float v[12];
  for (int j = 0; j < 12; ++j) v[j] = a[i + j * n];
  b[i] = distant(v, n);
}
