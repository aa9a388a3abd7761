// launch: block=128
// Four tables of 192 sums each. The repair: an eighth of them a pass.
__global__ void __launch_bounds__(128) passes_smell(const float* __restrict__ a, float* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[192], t[192], u[192], v[192];
#pragma unroll
  for (int k = 0; k < 192; ++k) {
    s[k] = a[i + k];
    t[k] = a[i + k + 7];
    u[k] = a[i + k + 9];
    v[k] = a[i + k + 11];
  }
#pragma unroll 1
  for (int j = 0; j < m; ++j) {
    float x = a[j * 64 + i];
#pragma unroll
    for (int k = 0; k < 192; ++k) {
      s[k] = s[k] * x + t[k];
      t[k] = t[k] - u[k] * x;
      u[k] = u[k] * x - v[k];
      v[k] = v[k] * x + s[k];
    }
  }
#pragma unroll
  for (int k = 0; k < 192; ++k) b[k * n + i] = s[k] + t[k] * u[k] - v[k];
}

__global__ void __launch_bounds__(128) passes_repaired(const float* __restrict__ a, float* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int part = 0; part < 192; part += 24) {
    float s[24], t[24], u[24], v[24];
#pragma unroll
    for (int k = 0; k < 24; ++k) {
      s[k] = a[i + part + k];
      t[k] = a[i + part + k + 7];
      u[k] = a[i + part + k + 9];
      v[k] = a[i + part + k + 11];
    }
#pragma unroll 1
    for (int j = 0; j < m; ++j) {
      float x = a[j * 64 + i];
#pragma unroll
      for (int k = 0; k < 24; ++k) {
        s[k] = s[k] * x + t[k];
        t[k] = t[k] - u[k] * x;
        u[k] = u[k] * x - v[k];
      v[k] = v[k] * x + s[k];
      }
    }
#pragma unroll
    for (int k = 0; k < 24; ++k) b[(part + k) * n + i] = s[k] + t[k] * u[k] - v[k];
  }
}
