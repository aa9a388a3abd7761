// Numbers of the wave, and reads at addresses that are made from them.
// targets: gfx90a
#include <cuda_runtime.h>

__global__ void cell(const float* w, const float* a, float* b, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int wave = threadIdx.x / 64;  // expect: RP305 warning @14 "`threadIdx.x / 64`" "64 threads" "240 bytes"
  const float* v = w + wave * 60;
  float h[3] = {0.0f, 0.0f, 0.0f}, c[3] = {0.0f, 0.0f, 0.0f};
  for (int t = 0; t < steps; ++t) {
    float x = a[t * n + i], g[4][3];
    for (int q = 0; q < 4; ++q) {
      for (int k = 0; k < 3; ++k) {
        float s = v[36 + q * 3 + k] * x + v[48 + q * 3 + k];
        for (int j = 0; j < 3; ++j) s += v[(q * 3 + k) * 3 + j] * h[j];
        g[q][k] = q == 3 ? tanhf(s) : 1.0f / (1.0f + expf(-s));
      }
    }
    for (int k = 0; k < 3; ++k) {
      c[k] = c[k] * g[1][k] + g[3][k] * g[0][k];
      h[k] = tanhf(c[k]) * g[2][k];
    }
  }
  b[i] = h[0] + h[1] + h[2];
}

// A shift of a copy of the index, in the middle of an expression; a constant that has a name.
#define WAVE 64
__global__ void filters(const float* w, const float* v, const float* a, float* b, int n) {
  const int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + tid;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[(tid >> 6) * 16 + k] * a[i + k * n];  // expect: RP305 hint @40 "`tid >> 6`"
  const int row = 4 * blockIdx.x + tid / WAVE;  // expect: RP305 hint @36 "`tid / WAVE`"
  for (int k = 0; k < 8; ++k) s += v[row * 8 + k];
  b[i] = s;
}

// The wave in the grid, launched with whole waves.
__global__ void grid(const float* w, const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int wave = i / warpSize;  // expect: RP305 hint @14 "`i / warpSize`"
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[wave * 16 + k] * a[i + k * n];
  b[i] = s;
}

void run(const float* w, const float* a, float* b, int steps, int n) {
  cell<<<n / 256, 256>>>(w, a, b, steps, n);
  filters<<<n / 256, dim3(256)>>>(w, w, a, b, n);
  grid<<<n / 128, 128>>>(w, a, b, n);
}
