// What no call uses of an array takes no register: nine of forty points, and then all of them.
#include <cuda_runtime.h>

struct Point {
  float x, y;
};

__device__ __forceinline__ float around(const Point* corners, int n) {
  Point moved[40];  // expect: RP402 warning @9 "of 40 x Point" "in every kernel that calls `around`"
  for (int k = 0; k < n; ++k) {
    moved[k].x = corners[k].x * 2.0f;
    moved[k].y = corners[k].y + 1.0f;
  }
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) sum += moved[j].x * moved[(j + 1) % n].y - moved[j].y * sum;
  return sum;
}

__device__ __forceinline__ float around_few(const Point* corners, int n) {
  Point moved[40];
  for (int k = 0; k < n; ++k) {
    moved[k].x = corners[k].x * 2.0f;
    moved[k].y = corners[k].y + 1.0f;
  }
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) sum += moved[j].x * moved[(j + 1) % n].y - moved[j].y * sum;
  return sum;
}

__global__ void few(const Point* in, float* out) {
  out[threadIdx.x] = around_few(in + threadIdx.x * 9, 9);
}

__global__ void many(const Point* in, float* out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = around(in + i * 40, 40);
}
