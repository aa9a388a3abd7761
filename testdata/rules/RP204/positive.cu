// nvcc: what is alive across the call in a loop pays; at the end of a kernel nothing does.
// targets: sm_90
#include <cstdio>
#include <cstdlib>

__global__ void march(const float* __restrict__ a, float* __restrict__ b, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[12];
  for (int j = 0; j < 12; ++j) s[j] = a[i + j * n];
  for (int k = 0; k < steps; ++k) {
    float x = a[i + k];
    for (int j = 0; j < 12; ++j) s[j] = s[j] * x + s[(j + 1) % 12];
    if (s[0] < -1.0f) printf("cell %d, step %d: %f\n", i, k, s[0]);  // expect: RP204 warning @23 "without it the estimate is 45 -> 32 registers"
  }
  for (int j = 0; j < 12; ++j) b[i + j * n] = s[j];
}

__global__ void tail(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i];
  if (a[i] < 0.0f) printf("%d\n", i);  // expect: RP204 info @20
}

__global__ void heap(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float* row = static_cast<float*>(malloc(n * sizeof(float)));  // expect: RP204 warning @36 "`malloc` and `free`" "163 times as much"
  for (int k = 0; k < n; ++k) row[k] = a[i + k];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s = 0.5f * s + row[n - 1 - k];
  free(row);
  b[i] = s;
}
