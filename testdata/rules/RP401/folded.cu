// nvcc folds what no loop carries; up to three floats that one carries are lifted into registers.
#include <cuda_runtime.h>

__global__ void fold(const float* a, float* b) {
  volatile float x = a[threadIdx.x];
  volatile float few[8];  // expect: RP401 hint @3 "few"
  few[0] = x;
  few[1] = few[0] * 2.0f;
  b[threadIdx.x] = few[1];
}

__global__ void three(const float* a, float* b, int m) {
  volatile float s = 0.0f;         // expect: RP401 hint @3 "`s`"
  volatile float t = 0.0f;         // expect: RP401 hint @3 "`t`"
  volatile float u = 0.0f;         // expect: RP401 hint @3 "`u`"
  volatile float one[4] = {0.0f};  // expect: RP401 hint @3 "`one`"
  for (int k = 0; k < m; ++k) {
    s = s + a[k];
    t = t + a[k] * a[k];
    u = u - a[k];
    for (int j = 0; j < 4; ++j) one[j] = one[j] + a[k + j];
  }
  b[threadIdx.x] = s * t + u + one[0] + one[1] + one[2] + one[3];
}

__global__ void straight(const float* a, float* b, int m) {
  volatile float all[8];  // expect: RP401 hint @3 "`all`"
  for (int k = 0; k < 8; ++k) all[k] = 0.0f;
  for (int j = 0; j < 8; ++j) {
    for (int k = 0; k < 8; ++k) all[k] = all[k] + a[8 * j + k];
  }
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += a[k];
  b[threadIdx.x] = s + all[0] + all[7];
}
