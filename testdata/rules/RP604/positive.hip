// Loads that all threads share, behind stores and atomics that may change them.
// targets: gfx90a
#include <hip/hip_runtime.h>

__device__ void count_up(int* counter) { atomicAdd(counter, 1); }

struct Curve {
  float c[24];
};

__global__ void cell(const float* w, const float* a, float* b, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[3] = {0.0f, 0.0f, 0.0f}, c[3] = {0.0f, 0.0f, 0.0f};
  for (int t = 0; t < steps; ++t) {
    float x = a[t * n + i], g[4][3];
    for (int q = 0; q < 4; ++q) {
      for (int k = 0; k < 3; ++k) {
        float s = w[36 + q * 3 + k] * x + w[48 + q * 3 + k];  // expect: RP604 warning @19 "`w[36 + q * 3 + k]`" "240 bytes"
        for (int j = 0; j < 3; ++j) s += w[(q * 3 + k) * 3 + j] * h[j];
        g[q][k] = q == 3 ? tanhf(s) : 1.0f / (1.0f + expf(-s));
      }
    }
    for (int k = 0; k < 3; ++k) {
      c[k] = c[k] * g[1][k] + g[3][k] * g[0][k];
      h[k] = tanhf(c[k]) * g[2][k];
    }
    b[t * n + i] = h[0] + h[1] + h[2];
  }
}

// The store stands in front; `w` is found through the pointer that is made from it.
__global__ void filter(const float *w, const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* row = w + blockIdx.y * 32;
  b[i] = 0.0f;
  float s = 0.0f;
  for (int k = 0; k < 32; ++k) s += row[k] * a[i + k];  // expect: RP604 info @37 "`row[k]`" "128 bytes through `w`"
  b[i] = s;
}

// An atomic in a called function, on another type.
__global__ void counted(const float* w, const float* a, float* b, int* total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  count_up(total);
  for (int k = 0; k < 16; ++k) x = x * w[k] + 1.0f;  // expect: RP604 hint @40 "an atomic at line 45"
  b[i] = x;
}

// Members of a struct behind a pointer; a vector store may change anything.
__global__ void curve(const Curve* p, const float4* a, float4* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int z = 0; z < m; ++z) {
    float4 x = a[z * n + i];
    for (int k = 0; k < 24; ++k) x.x = x.x * p->c[k] + 1.0f;  // expect: RP604 hint @46 "96 bytes through `p`"
    b[z * n + i] = x;
  }
}
