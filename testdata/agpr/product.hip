#include <hip/hip_runtime.h>

typedef float tile __attribute__((ext_vector_type(16)));

__global__ void __launch_bounds__(256) product(float* c, const float* a, const float* b, int n) {
  int lane = threadIdx.x % 64;
  tile sum[4] = {};
  for (int k = 0; k < n; ++k) {
    float right = b[k * 64 + lane];
    for (int j = 0; j < 4; ++j) {
      sum[j] = __builtin_amdgcn_mfma_f32_32x32x2f32(a[(k * 4 + j) * 64 + lane], right, sum[j], 0, 0, 0);
    }
  }
  for (int j = 0; j < 4; ++j)
    for (int l = 0; l < 16; ++l) c[(j * 16 + l) * 64 + lane] = sum[j][l];
}
