// Sixty-four slots a thread: LDS leaves one wave, registers four.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(128) powers(const float* a, float* o, int m) {
  __shared__ float v[64][128];  // expect: RP801 warning "64 elements of `v`" "instead of"
  int i = blockIdx.x * 128 + threadIdx.x;
  for (int k = 0; k < 64; ++k) v[k][threadIdx.x] = a[k * 4096 + i];
  for (int j = 0; j < m; ++j) {
    float x = a[j * 4096 + i];
    for (int k = 0; k < 64; ++k) v[k][threadIdx.x] = v[k][threadIdx.x] * x + k;
  }
  float r = 0;
  for (int k = 0; k < 64; ++k) r += v[k][threadIdx.x] * v[k][threadIdx.x];
  o[i] = r;
}
