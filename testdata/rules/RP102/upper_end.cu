// Bounds that are too large, and an estimate whose upper end alone is above their cap.
// expect-next-line: RP102 hint @17 "the estimate is 108 (80 to 143): it may spill"
__global__ void __launch_bounds__(512, 1) near(float* o, const float* a, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[92];
#pragma unroll
  for (int k = 0; k < 92; ++k) s[k] = 0;
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int k = 0; k < 92; ++k) s[k] += a[j * n + k] * a[i + j];
  }
#pragma unroll
  for (int k = 0; k < 92; ++k) o[i + k * n] = s[k];
}
void run2(float* o, const float* a, int n, int m) { near<<<n / 128, 128>>>(o, a, n, m); }
