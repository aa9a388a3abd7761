// Divisions in 32 bits, by constants, of floats, and of values that were widened.
#include <hip/hip_runtime.h>

__global__ void walk(const float* a, float* b, size_t w, unsigned n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  const size_t pitch = 640;
  size_t wide = n;
  for (int j = 0; j < m; ++j) {
    s += a[(i + j) % n] + a[(w + j) % 17] + a[(w + j) / pitch] + a[(size_t)j % wide] / s;
  }
  b[i] = s;
}

// A template's argument is a constant in each instantiation, whether the file shows it or not.
template <size_t Degree>
__global__ void places(const float* a, float* b, size_t w, int m) {
  size_t k = w + threadIdx.x;
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    s += a[k % (Degree + 1)];
    k /= Degree + 1;
  }
  b[threadIdx.x] = s;
}
