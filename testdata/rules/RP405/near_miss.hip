// Numbers, constant indices, more elements than clang can pick from, and a small block.
#include <hip/hip_runtime.h>

struct Row {
  float at[4];
};

__global__ void numbers(const float* a, const int* key, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[8];
  for (int j = 0; j < 8; ++j) v[j] = a[j * n + i];
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += v[key[k * n + i]];
  b[i] = s;
}

__global__ void constant(const float4* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[4];
  for (int j = 0; j < 4; ++j) v[j] = a[j * n + i];
  float s = 0.0f;
  for (int j = 0; j < 4; ++j) s += v[j].x * v[3 - j].w;
  b[i] = s;
}

__global__ void many(const float2* a, const int* key, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v[20];  // expect: RP403
  for (int j = 0; j < 20; ++j) v[j] = a[j * n + i];
  b[i] = v[key[i]].x + v[key[i]].y;
}

__global__ void __launch_bounds__(256) bounded(const float4* a, float* b, int which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[2];
  for (int j = 0; j < 2; ++j) v[j] = a[j * n + i];
  b[i] = v[which].x + v[which].w;
}

__global__ void rows(const float* a, const int* key, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Row r[4];
  for (int j = 0; j < 4; ++j) r[j].at[0] = r[j].at[1] = r[j].at[2] = r[j].at[3] = a[j * n + i];
  b[i] = r[key[i]].at[1];
}

// The loop has an exit at its end and work on the other side of it: clang copies it all the same.
struct Corner {
  float x, y;
};

__global__ void inside(const float* a, float* b, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  Corner c[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    c[k].x = a[t + 2 * k * n];
    c[k].y = a[t + (2 * k + 1) * n];
  }
  float y = a[t + 8 * n], sy, ty;
  int crossed = 0, i, j;
  for (i = 0, j = 3; i < 4; j = i, i++) {
    sy = c[i].y;
    ty = c[j].y;
    if (sy == y && ty == y) {
      break;
    } else {
      if ((sy < y) != (ty < y)) crossed += c[i].x < c[j].x;
    }
  }
  b[t] = crossed;
}
