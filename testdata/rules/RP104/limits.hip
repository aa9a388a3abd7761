// Caps on registers that are no launch bounds.
#include <hip/hip_runtime.h>

// expect-next-line: RP104 warning @17 "caps `crowded` at 64 registers on gfx90a"
__global__ void __attribute__((amdgpu_waves_per_eu(8))) crowded(const double* a, double* b, int n) {
  double s[40];  // expect: RP402
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = a[k * n + blockIdx.x * 64 + threadIdx.x];
  for (int j = 0; j < n; ++j) {
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] += a[j] * s[k];
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + blockIdx.x * 64 + threadIdx.x] = s[k];
}

// Where AGPRs share the file, clang doubles the number: 64 VGPRs and 64 AGPRs. That is what it assumes anyway; without
// the attribute `__launch_bounds__(256)` would give 512. It spills 260 bytes.
// expect-next-line: RP104 info "caps `doubled` at 128 registers on gfx90a"
__global__ void __attribute__((amdgpu_num_vgpr(64))) doubled(const double* a, double* b, int n) {
  double s[40];  // expect: RP402 info
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = a[k * n + blockIdx.x * 64 + threadIdx.x];
  for (int j = 0; j < n; ++j) {
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] += a[j] * s[k];
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + blockIdx.x * 64 + threadIdx.x] = s[k];
}

// The attribute caps nothing: what clang assumes does, and spills 260 bytes.
// expect-next-line: RP101 warning "clang assumes 1,024 threads and caps it at 128 VGPRs on gfx90a"
__global__ void __attribute__((amdgpu_waves_per_eu(2))) idle(const double* a, double* b, int n) {
  double s[40];  // expect: RP402 info
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = a[k * n + blockIdx.x * 64 + threadIdx.x];
  for (int j = 0; j < n; ++j) {
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] += a[j] * s[k];
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + blockIdx.x * 64 + threadIdx.x] = s[k];
}
