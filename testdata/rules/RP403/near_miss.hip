// Arrays that clang keeps in registers, or that other rules speak about.
// targets: gfx90a, gfx1100
#include <hip/hip_runtime.h>

// 16 scalars stay in a vector register.
__global__ void __launch_bounds__(256) sixteen(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[16] = {};
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 15] += 1.0f;
  for (int k = 0; k < 16; ++k) b[k * n + i] = h[k];
}

// Derived indices, a guarded bound, a triangular loop.
__global__ void __launch_bounds__(256) constant(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[24];
  for (int k = 0; k < 24; ++k) v[k] = k < n ? a[i + k] : 0.0f;
  for (int k = 0; k < 12; ++k) v[2 * k] += v[(2 * k + 1) % 24];
  for (int k = 0; k < 24; ++k)
    for (int l = k; l < 24; ++l) v[k] += v[l] * 0.5f;
  for (int k = 0; k < 24; ++k) b[k * n + i] = v[k];
}

// A bound that is a template parameter is a constant, also where the caller is not in view.
template <int N>
__device__ float total(const float (&v)[N]) {
  float s = 0.0f;
  for (int k = 0; k < N; ++k) s += v[k];
  return s;
}

__global__ void __launch_bounds__(256) sums(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[24];
  for (int k = 0; k < 24; ++k) v[k] = a[k * n + i];
  b[i] = total(v);
}

// A constant table (no scratch on AMD), and a volatile array (another rule).
__global__ void __launch_bounds__(256) table(const int* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  b[i] = w[a[i] % 20];
}
