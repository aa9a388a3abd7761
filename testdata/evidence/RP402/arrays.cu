// targets: gfx90a, gfx1100, sm_90
// time: mirror threads=262144 size=16777216 n=262144
// time: kept threads=262144 size=4194304 m=16 n=262144
// time: history threads=262144 size=29360128 m=16 n=262144
// time: stream threads=262144 size=8388608 n=262144
// time: tile threads=262144 size=4194304 m=64 n=4096
// Every element meets its mirror image. The repair: a quarter of it, and its image, a thread.
__global__ void mirror_smell(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) s[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 64; ++k) b[k * n + i] = s[k] * s[63 - k];
}

__global__ void mirror_repaired(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int part = 0; part < 32; part += 8) {
    double s[8], t[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      s[k] = a[(part + k) * n + i];
      t[k] = a[(63 - part - k) * n + i];
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      b[(part + k) * n + i] = s[k] * t[k];
      b[(63 - part - k) * n + i] = s[k] * t[k];
    }
  }
}

// 40 doubles that a loop carries. The repair: floats.
__global__ void kept_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[40], first = a[i], sum = 0;
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = first * (k + 1);
#pragma unroll 1
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) sum = sum * first + s[k];
  b[i] = sum;
}

__global__ void kept_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[40], first = a[i], sum = 0;
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = first * (k + 1);
#pragma unroll 1
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) sum = sum * first + s[k];
  b[i] = sum;
}

// A window of 96 floats that moves on. The repair: a third of it.
__global__ void history_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[96];
#pragma unroll
  for (int k = 0; k < 96; ++k) w[k] = a[k * n + i];
  float sum = 0.0f;
#pragma unroll 1
  for (int j = 0; j < m; ++j) {
    float x = a[(96 + j) * n + i];
#pragma unroll
    for (int k = 0; k < 96; ++k) sum = sum * x + w[k];
#pragma unroll
    for (int k = 0; k < 95; ++k) w[k] = w[k + 1];
    w[95] = x;
  }
  b[i] = sum;
}

__global__ void history_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) w[k] = a[k * n + i];
  float sum = 0.0f;
#pragma unroll 1
  for (int j = 0; j < m; ++j) {
    float x = a[(32 + j) * n + i];
#pragma unroll
    for (int k = 0; k < 32; ++k) sum = sum * x + w[k];
#pragma unroll
    for (int k = 0; k < 31; ++k) w[k] = w[k + 1];
    w[31] = x;
  }
  b[i] = sum;
}

// Filled and read in the same order: no compiler keeps it all at once.
__global__ void stream_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) s[k] = a[k * n + i];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 32; ++k) sum += s[k] * s[k];
  b[i] = sum;
}

__global__ void stream_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 32; ++k) sum += a[k * n + i] * a[k * n + i];
  b[i] = sum;
}

// A register tile of 12 x 12, which does not fit into gfx90a's default budget. The repair: 8 x 8.
// known miss: tile gfx90a: RP407 speaks of tiles
// known miss: tile gfx1100: a register tile that fits gives up waves for reuse on purpose
// known miss: tile sm_90: likewise
__global__ void tile_smell(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[12][12];
#pragma unroll
  for (int x = 0; x < 12; ++x)
#pragma unroll
    for (int y = 0; y < 12; ++y) acc[x][y] = 0.0f;
#pragma unroll 1
  for (int k = 0; k < m; ++k) {
#pragma unroll
    for (int x = 0; x < 12; ++x)
#pragma unroll
      for (int y = 0; y < 12; ++y) acc[x][y] += a[k * n + (i & 255) * 12 + x] * w[k * n + (i >> 8) % 256 * 12 + y];
  }
  float sum = 0.0f;
#pragma unroll
  for (int x = 0; x < 12; ++x)
#pragma unroll
    for (int y = 0; y < 12; ++y) sum = sum * 0.5f + acc[x][y];
  b[i] = sum;
}

__global__ void tile_repaired(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[8][8];
#pragma unroll
  for (int x = 0; x < 8; ++x)
#pragma unroll
    for (int y = 0; y < 8; ++y) acc[x][y] = 0.0f;
#pragma unroll 1
  for (int k = 0; k < m; ++k) {
#pragma unroll
    for (int x = 0; x < 8; ++x)
#pragma unroll
      for (int y = 0; y < 8; ++y) acc[x][y] += a[k * n + (i & 255) * 8 + x] * w[k * n + (i >> 8) % 256 * 8 + y];
  }
  float sum = 0.0f;
#pragma unroll
  for (int x = 0; x < 8; ++x)
#pragma unroll
    for (int y = 0; y < 8; ++y) sum = sum * 0.5f + acc[x][y];
  b[i] = sum;
}
