// Lists: the counter of the elements grows on a condition, so that no copies of a loop make the indices constant.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) clipped(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float inside[24];  // expect: RP403 info @9 "`inside` of 24 x float"
  int m = 0;
  for (int k = 0; k < 24; ++k) {
    const float here = x[k * n + i];
    if (here > 0.0f) inside[m++] = here;
  }
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += inside[k] * inside[m - 1 - k];
  out[i] = s;
}

__global__ void __launch_bounds__(128) stepped(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float inside[24];  // expect: RP403 info @9 "`inside` of 24 x float"
  int m = 0;
  for (int k = 0; k < 24; ++k) {
    if (x[k * n + i] > 0.0f) {
      inside[m] = x[k * n + i];
      ++m;
    }
  }
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += inside[k] * inside[m - 1 - k];
  out[i] = s;
}

__global__ void __launch_bounds__(128) bounded(const float* x, float* out, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float row[24];  // expect: RP403 warning @9 "`row` of 24 x float"
  for (int k = 0; k < m; ++k) row[k] = x[k * n + i];
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += row[k] * row[m - 1 - k];
  out[i] = s;
}

void run(const float* x, float* out, int m, int n) {
  clipped<<<n / 128, 128>>>(x, out, n);
  stepped<<<n / 128, 128>>>(x, out, n);
  bounded<<<n / 128, 128>>>(x, out, m, n);
}
