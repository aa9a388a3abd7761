// targets: gfx90a, gfx1100, sm_90
// time: march threads=1048576 size=17825792 steps=16 n=1048576
// time: tail threads=4194304 size=8388608 steps=16
// time: checked threads=1048576 size=17825792 steps=16 n=1048576
// time: checked_once threads=4194304 size=8388608 steps=16
// time: gather threads=16384 size=1048576 n=32
// time: folded threads=4194304 size=8388608 steps=16
// known miss: tail sm_90: the 16 bytes are where the arguments go, touched only by a thread that prints
#include <cassert>
#include <cstdio>
#include <cstdlib>

// A warning about values that are no numbers, in a loop that keeps twelve of them.
__global__ void march_smell(const float* __restrict__ a, float* __restrict__ b, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[12];
  for (int j = 0; j < 12; ++j) s[j] = a[i + j * n];
  for (int k = 0; k < steps; ++k) {
    float x = a[i + k];
    for (int j = 0; j < 12; ++j) s[j] = s[j] * x + s[(j + 1) % 12];
    if (s[0] < -1.0f) printf("cell %d, step %d: %f\n", i, k, s[0]);
  }
  for (int j = 0; j < 12; ++j) b[i + j * n] = s[j];
}

__global__ void march_repaired(const float* __restrict__ a, float* __restrict__ b, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[12];
  for (int j = 0; j < 12; ++j) s[j] = a[i + j * n];
  for (int k = 0; k < steps; ++k) {
    float x = a[i + k];
    for (int j = 0; j < 12; ++j) s[j] = s[j] * x + s[(j + 1) % 12];
  }
  for (int j = 0; j < 12; ++j) b[i + j * n] = s[j];
}

// The same behind all work, where next to nothing is alive.
__global__ void tail_smell(const float* a, float* b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.0f;
  for (int k = 0; k < steps; ++k) x = 0.5f * (x + a[i + k]);
  b[i] = x;
  if (x < 0.0f) printf("cell %d: %f\n", i, x);
}

__global__ void tail_repaired(const float* a, float* b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.0f;
  for (int k = 0; k < steps; ++k) x = 0.5f * (x + a[i + k]);
  b[i] = x;
}

// An assertion in the loop.
__global__ void checked_smell(const float* __restrict__ a, float* __restrict__ b, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[12];
  for (int j = 0; j < 12; ++j) s[j] = a[i + j * n];
  for (int k = 0; k < steps; ++k) {
    float x = a[i + k];
    for (int j = 0; j < 12; ++j) s[j] = s[j] * x + s[(j + 1) % 12];
    assert(s[0] >= -1.0f);
  }
  for (int j = 0; j < 12; ++j) b[i + j * n] = s[j];
}

__global__ void checked_repaired(const float* __restrict__ a, float* __restrict__ b, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[12];
  for (int j = 0; j < 12; ++j) s[j] = a[i + j * n];
  for (int k = 0; k < steps; ++k) {
    float x = a[i + k];
    for (int j = 0; j < 12; ++j) s[j] = s[j] * x + s[(j + 1) % 12];
  }
  for (int j = 0; j < 12; ++j) b[i + j * n] = s[j];
}

// One assertion in front of everything.
__global__ void checked_once_smell(const float* a, float* b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(steps > 0);
  float x = 0.0f;
  for (int k = 0; k < steps; ++k) x = 0.5f * (x + a[i + k]);
  b[i] = x;
}

__global__ void checked_once_repaired(const float* a, float* b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.0f;
  for (int k = 0; k < steps; ++k) x = 0.5f * (x + a[i + k]);
  b[i] = x;
}

// Room of its own for each thread, from the device's heap or in the output.
__global__ void gather_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* row = static_cast<float*>(malloc(n * sizeof(float)));
  if (row == nullptr) return;
  for (int k = 0; k < n; ++k) row[k] = a[i + k];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s = 0.5f * s + row[n - 1 - k];
  free(row);
  b[i * n] = s;
}

__global__ void gather_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* row = b + i * n;
  for (int k = 0; k < n; ++k) row[k] = a[i + k];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s = 0.5f * s + row[n - 1 - k];
  b[i * n] = s;
}

// A constant condition: compilers drop the print.
constexpr bool kVerbose = false;

__global__ void folded_smell(const float* a, float* b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.0f;
  for (int k = 0; k < steps; ++k) x = 0.5f * (x + a[i + k]);
  if (kVerbose) printf("cell %d: %f\n", i, x);
  b[i] = x;
}

__global__ void folded_repaired(const float* a, float* b, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.0f;
  for (int k = 0; k < steps; ++k) x = 0.5f * (x + a[i + k]);
  b[i] = x;
}
