// Arrays that are what the algorithm is: information, for nothing remains but smaller elements or LDS. Compiled: nvcc
// 13.0.88 gives each of them a frame.
#include <cuda_runtime.h>

struct Generator {
  unsigned s;
};
__device__ float draw(Generator* g) {
  g->s = g->s * 1664525u + 1013904223u;
  return g->s * 2.3e-10f;
}

// Drawn numbers, of which each is used for many.
__global__ void __launch_bounds__(128) correlated(const float* l, float* out, Generator* all, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Generator own = all[i];
  float z[30];  // expect: RP403 warning @9 "`z` of 30 x float" "drawn at random"
  for (int k = 0; k < n; ++k) z[k] = draw(&own);
  for (int k = 0; k < n; ++k) {
    float v = 0.0f;
    for (int j = 0; j <= k; ++j) v += l[k * n + j] * z[j];
    out[i * n + k] = v;
  }
  all[i] = own;
}

// Rows times a matrix, written back to the rows.
__global__ void __launch_bounds__(128) in_place(float** rows, const float* matrix, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float made[32];  // expect: RP403 warning @9 "`made` of 32 x float" "written back"
  for (int k = 0; k < n; ++k) {
    made[k] = 0.0f;
    for (int j = 0; j < m; ++j) made[k] = made[k] + rows[j][i] * matrix[j * n + k];
  }
  for (int k = 0; k < n; ++k) rows[k][i] = made[k];
}

// Written elsewhere: a constant bound, or no array at all, would do.
__global__ void __launch_bounds__(128) elsewhere(const float* rows, float* out, const float* matrix, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float made[32];  // expect: RP403 warning @9 "`made` of 32 x float"
  for (int k = 0; k < n; ++k) {
    made[k] = 0.0f;
    for (int j = 0; j < m; ++j) made[k] = made[k] + rows[j * 1024 + i] * matrix[j * n + k];
  }
  for (int k = 0; k < n; ++k) out[k * 1024 + i] = made[k];
}

void run(const float* l, float* out, Generator* g, float** rows, int m, int n) {
  correlated<<<n / 128, 128>>>(l, out, g, m);
  in_place<<<n / 128, 128>>>(rows, l, m, m);
  elsewhere<<<n / 128, 128>>>(l, out, l + n, m, m);
}
