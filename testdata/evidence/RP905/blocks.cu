// targets: gfx90a, gfx1100, sm_90
// What the same is on the others: each element has a constant offset from one address.
__global__ void scale_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 16; ++k) b[i * 16 + k] = a[i * 16 + k] * 2.0f;
}

__global__ void scale_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int first = (i - (i & 63)) * 16 + (i & 63);
#pragma unroll
  for (int k = 0; k < 16; ++k) b[first + 64 * k] = a[first + 64 * k] * 2.0f;
}

// The repair here: four vectors.
__global__ void kept_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) v[k] = a[i * 16 + k];
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int k = 0; k < 16; ++k) s = s * v[k] + v[15 - k];
  }
  b[i] = s;
}

__global__ void kept_repaired(const float4* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[16];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float4 x = a[i * 4 + k];
    v[4 * k] = x.x;
    v[4 * k + 1] = x.y;
    v[4 * k + 2] = x.z;
    v[4 * k + 3] = x.w;
  }
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int k = 0; k < 16; ++k) s = s * v[k] + v[15 - k];
  }
  b[i] = s;
}
