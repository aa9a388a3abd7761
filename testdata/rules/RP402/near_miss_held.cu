// A loop only carries the array through: RP301 has the change that ends it, and RP402 says no second time that it is wide.
__global__ void __launch_bounds__(256) held(float* o, const float* a, const float* b, int n, int m) {
  int g = blockIdx.x * 256 + threadIdx.x;
  float e[96];  // expect: RP301 @9 "96 registers held through the peak"
#pragma unroll
  for (int i = 0; i < 96; ++i) e[i] = a[g + i * n];
  float s = 0;
  for (int k = 0; k < m; ++k) s += b[k * 24] * b[g + k];
#pragma unroll
  for (int i = 0; i < 96; ++i) o[g + i * n] = s + e[i];
}
