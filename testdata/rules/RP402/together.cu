// Two arrays that the same loops fill and use: one finding.
#include <cuda_runtime.h>

__global__ void backward(const float* g, const float* x, float* out, int m) {
  float grad[64], row[64];  // expect: RP402 @9 "`grad` of 64 x float" "`row` takes as much"
  int t = threadIdx.x;
  float sum = 0.0f;
  g += blockIdx.x * m + t;
  x += blockIdx.x * m + t;
#pragma unroll
  for (int i = 0; i < 64; ++i)
    if (t + i * 32 < m) {
      grad[i] = g[i * 32];
      row[i] = x[i * 32];
      sum += grad[i] * row[i];
    }
  for (int k = 1; k < 32; k *= 2) sum += __shfl_xor_sync(~0u, sum, k);
#pragma unroll
  for (int i = 0; i < 64; ++i)
    if (t + i * 32 < m) out[i * 32] = row[i] * (grad[i] - sum);
}

void run(const float* g, const float* x, float* out, int m) { backward<<<m, 128>>>(g, x, out, m); }
