// Of the instances of a template the largest tile speaks, though the one in the middle fits.
template <int T>
__global__ void __launch_bounds__(64) tile(const float *a, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t[T][T] = {};  // expect: RP407 warning @9 "`t` of 256 x float (1,024 bytes per thread) and its operands"
  for (int k = 0; k < n; ++k) {
    float x[T], y[T];
#pragma unroll
    for (int m = 0; m < T; ++m) {
      x[m] = a[i + k * n + m];
      y[m] = a[k * n + m];
    }
#pragma unroll
    for (int m = 0; m < T; ++m)
#pragma unroll
      for (int l = 0; l < T; ++l) t[m][l] += x[m] * y[l];
  }
#pragma unroll
  for (int m = 0; m < T; ++m)
#pragma unroll
    for (int l = 0; l < T; ++l) c[(i * T + m) * T + l] = t[m][l];
}

void run(const float *a, float *c, int n) {
  tile<4><<<n, 64>>>(a, c, n);
  tile<8><<<n, 64>>>(a, c, n);
  tile<16><<<n, 64>>>(a, c, n);
}
