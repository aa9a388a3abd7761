// targets: gfx90a, gfx1100, sm_90
// known miss: two sm_90: 1.1 x, with 32 bytes of local memory; the same repair of eight vectors takes 1.7 x the time
// known miss: vectors sm_90: more warps, but the arrays went from registers to 128 bytes of local memory
struct Particle {
  float x, y, mass;
};

// Eight vectors, read in a loop at a loaded index.
// time: vectors threads=1048576 size=33554432 m=16 n=1048576
__global__ void vectors_smell(const float* a, const int* key, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[8];
  for (int j = 0; j < 8; ++j) v[j] = make_float4(a[j * n + i], a[j * n + i + 1], a[j * n + i + 2], a[j * n + i + 3]);
  float s = 0.0f;
  for (int k = 0; k < m; ++k) {
    int j = key[k * n + i] & 7;
    s += v[j].x * v[j].y + v[j].z * v[j].w;
  }
  b[i] = s;
}

__global__ void vectors_repaired(const float* a, const int* key, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[8], y[8], z[8], w[8];
  for (int j = 0; j < 8; ++j) {
    float4 e = make_float4(a[j * n + i], a[j * n + i + 1], a[j * n + i + 2], a[j * n + i + 3]);
    x[j] = e.x;
    y[j] = e.y;
    z[j] = e.z;
    w[j] = e.w;
  }
  float s = 0.0f;
  for (int k = 0; k < m; ++k) {
    int j = key[k * n + i] & 7;
    s += x[j] * y[j] + z[j] * w[j];
  }
  b[i] = s;
}

// Two of them: LDS and not scratch.
// time: two threads=1048576 size=33554432 m=16 n=1048576
__global__ void two_smell(const float* a, const int* key, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[2];
  for (int j = 0; j < 2; ++j) v[j] = make_float4(a[j * n + i], a[j * n + i + 1], a[j * n + i + 2], a[j * n + i + 3]);
  float s = 0.0f;
  for (int k = 0; k < m; ++k) {
    int j = key[k * n + i] & 1;
    s += v[j].x * v[j].y + v[j].z * v[j].w;
  }
  b[i] = s;
}

__global__ void two_repaired(const float* a, const int* key, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[2], y[2], z[2], w[2];
  for (int j = 0; j < 2; ++j) {
    float4 e = make_float4(a[j * n + i], a[j * n + i + 1], a[j * n + i + 2], a[j * n + i + 3]);
    x[j] = e.x;
    y[j] = e.y;
    z[j] = e.z;
    w[j] = e.w;
  }
  float s = 0.0f;
  for (int k = 0; k < m; ++k) {
    int j = key[k * n + i] & 1;
    s += x[j] * y[j] + z[j] * w[j];
  }
  b[i] = s;
}

// Structs, changed at a loaded index.
// time: structs threads=1048576 size=33554432 m=16 n=1048576
__global__ void structs_smell(const float* a, const int* key, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Particle v[4];
  for (int j = 0; j < 4; ++j) v[j] = {a[j * n + i], a[j * n + i + 1], a[j * n + i + 2]};
  for (int k = 0; k < m; ++k) {
    int j = key[k * n + i] & 3;
    v[j].x += 0.5f;
    v[j].y -= 0.5f;
    v[j].mass *= 0.5f;
  }
  float s = 0.0f;
  for (int j = 0; j < 4; ++j) s += v[j].x * v[j].y * v[j].mass;
  b[i] = s;
}

__global__ void structs_repaired(const float* a, const int* key, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[4], y[4], mass[4];
  for (int j = 0; j < 4; ++j) {
    x[j] = a[j * n + i];
    y[j] = a[j * n + i + 1];
    mass[j] = a[j * n + i + 2];
  }
  for (int k = 0; k < m; ++k) {
    int j = key[k * n + i] & 3;
    x[j] += 0.5f;
    y[j] -= 0.5f;
    mass[j] *= 0.5f;
  }
  float s = 0.0f;
  for (int j = 0; j < 4; ++j) s += x[j] * y[j] * mass[j];
  b[i] = s;
}

// Constant indices: both stay in registers.
// time: constant threads=1048576 size=16777216 n=1048576
__global__ void constant_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[8];
  for (int j = 0; j < 8; ++j) v[j] = make_float4(a[j * n + i], a[j * n + i + 1], a[j * n + i + 2], a[j * n + i + 3]);
  float s = 0.0f;
  for (int j = 0; j < 8; ++j) s += v[j].x * v[7 - j].y + v[j].z * v[j].w;
  b[i] = s;
}

__global__ void constant_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[8], y[8], z[8], w[8];
  for (int j = 0; j < 8; ++j) {
    float4 e = make_float4(a[j * n + i], a[j * n + i + 1], a[j * n + i + 2], a[j * n + i + 3]);
    x[j] = e.x;
    y[j] = e.y;
    z[j] = e.z;
    w[j] = e.w;
  }
  float s = 0.0f;
  for (int j = 0; j < 8; ++j) s += x[j] * y[7 - j] + z[j] * w[j];
  b[i] = s;
}
