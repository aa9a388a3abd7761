// Arrays of vectors and structs at a run-time index.
#include <hip/hip_runtime.h>

struct Particle {
  float x, y, mass;
};

__global__ void vectors(const float4* a, const int* key, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[8];  // expect: RP405 warning @10 "(8 x float4, 128 bytes)" "`j`" "scratch"
  for (int j = 0; j < 8; ++j) v[j] = a[j * n + i];
  float s = 0.0f;
  for (int k = 0; k < m; ++k) {
    int j = key[k * n + i];
    s += v[j].x * v[j].y + v[j].z * v[j].w;
  }
  b[i] = s;
}

__global__ void two(const float4* a, float* b, int which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[2];  // expect: RP405 warning @10 "32 bytes" "LDS"
  for (int j = 0; j < 2; ++j) v[j] = a[j * n + i];
  b[i] = v[which].x + v[which].w;
}

__global__ void structs(const float* a, const int* key, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Particle p[4];  // expect: RP405 warning @12 "(4 x Particle, 48 bytes)"
  for (int j = 0; j < 4; ++j) p[j].x = p[j].y = p[j].mass = a[j * n + i];
  for (int k = 0; k < m; ++k) p[key[k * n + i]].mass += 1.0f;
  b[i] = p[0].mass * p[1].x + p[2].y + p[3].mass;
}

// Two arrays in the same loops are one finding.
__global__ void pairs(const float2* a, float2* b, int n, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float2 low[8], high[8];  // expect: RP405 @10 "`low` (8 x float2, 64 bytes)" "`high` goes with it"
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    low[k] = a[t * m + k];
    high[k] = a[t * m + k + n];
    sum += low[k].x * high[k].y;
  }
  for (int k = 0; k < n; ++k) b[t * m + k] = make_float2(low[k].x * sum, low[k].y * high[k].x + high[k].y);
}
