// targets: gfx90a, gfx1100, sm_90
// time: bounds threads=262144 size=2097152 m=64 tm=8 tn=8
// time: rolled threads=262144 size=2097152 m=64
// time: outer threads=262144 size=2097152 m=64
// time: epilogue threads=262144 size=2097152 m=64 pick=5
// time: nested threads=262144 size=2097152 m=8
// time: wide threads=262144 size=2097152 m=64
// time: square threads=262144 size=2097152 m=64
// Run-time bounds that are 8 in every launch.
__global__ void bounds_smell(const float* a, float* b, int m, int tm, int tn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[8][8] = {}, x[8], y[8];
  for (int j = 0; j < m; ++j) {
    for (int u = 0; u < tm; ++u) x[u] = a[i + j * 8 + u];
    for (int v = 0; v < tn; ++v) y[v] = a[i * 3 + j * 8 + v];
    for (int u = 0; u < tm; ++u)
      for (int v = 0; v < tn; ++v) acc[u][v] += x[u] * y[v];
  }
  float t = 0.0f;
  for (int u = 0; u < tm; ++u)
    for (int v = 0; v < tn; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

__global__ void bounds_repaired(const float* a, float* b, int m, int tm, int tn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[8][8] = {}, x[8], y[8];
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int u = 0; u < 8; ++u) x[u] = u < tm ? a[i + j * 8 + u] : 0.0f;
#pragma unroll
    for (int v = 0; v < 8; ++v) y[v] = v < tn ? a[i * 3 + j * 8 + v] : 0.0f;
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int v = 0; v < 8; ++v) acc[u][v] += x[u] * y[v];
  }
  float t = 0.0f;
#pragma unroll
  for (int u = 0; u < 8; ++u)
#pragma unroll
    for (int v = 0; v < 8; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

// A pragma keeps the loops of the tile rolled.
__global__ void rolled_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[6][6] = {}, x[6], y[6];
  for (int j = 0; j < m; ++j) {
    for (int u = 0; u < 6; ++u) x[u] = a[i + j * 6 + u];
    for (int v = 0; v < 6; ++v) y[v] = a[i * 3 + j * 6 + v];
#pragma unroll 1
    for (int u = 0; u < 6; ++u)
#pragma unroll 1
      for (int v = 0; v < 6; ++v) acc[u][v] += x[u] * y[v];
  }
  float t = 0.0f;
  for (int u = 0; u < 6; ++u)
    for (int v = 0; v < 6; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

__global__ void rolled_repaired(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[6][6] = {}, x[6], y[6];
  for (int j = 0; j < m; ++j) {
    for (int u = 0; u < 6; ++u) x[u] = a[i + j * 6 + u];
    for (int v = 0; v < 6; ++v) y[v] = a[i * 3 + j * 6 + v];
#pragma unroll
    for (int u = 0; u < 6; ++u)
#pragma unroll
      for (int v = 0; v < 6; ++v) acc[u][v] += x[u] * y[v];
  }
  float t = 0.0f;
  for (int u = 0; u < 6; ++u)
    for (int v = 0; v < 6; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

// Only the outer loop of the tile is rolled: enough to lose all of it.
__global__ void outer_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[8][4] = {};
  for (int j = 0; j < m; ++j) {
#pragma unroll 1
    for (int u = 0; u < 8; ++u) {
      float x = a[i + j * 8 + u];
      for (int v = 0; v < 4; ++v) acc[u][v] = acc[u][v] + x * a[j * 4 + v];
    }
  }
  float t = 0.0f;
  for (int u = 0; u < 8; ++u)
    for (int v = 0; v < 4; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

__global__ void outer_repaired(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[8][4] = {};
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      float x = a[i + j * 8 + u];
      for (int v = 0; v < 4; ++v) acc[u][v] = acc[u][v] + x * a[j * 4 + v];
    }
  }
  float t = 0.0f;
  for (int u = 0; u < 8; ++u)
    for (int v = 0; v < 4; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

// One read at a run-time index behind the loops.
__global__ void epilogue_smell(const float* a, float* b, int m, int pick) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[6][6] = {}, x[6], y[6];
  for (int j = 0; j < m; ++j) {
    for (int u = 0; u < 6; ++u) x[u] = a[i + j * 6 + u];
    for (int v = 0; v < 6; ++v) y[v] = a[i * 3 + j * 6 + v];
    for (int u = 0; u < 6; ++u)
      for (int v = 0; v < 6; ++v) acc[u][v] += x[u] * y[v];
  }
  b[i] = acc[pick][pick];
}

__global__ void epilogue_repaired(const float* a, float* b, int m, int pick) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[6][6] = {}, x[6], y[6];
  for (int j = 0; j < m; ++j) {
    for (int u = 0; u < 6; ++u) x[u] = a[i + j * 6 + u];
    for (int v = 0; v < 6; ++v) y[v] = a[i * 3 + j * 6 + v];
    for (int u = 0; u < 6; ++u)
      for (int v = 0; v < 6; ++v) acc[u][v] += x[u] * y[v];
  }
  float t = 0.0f;
  for (int u = 0; u < 6; ++u) t = u == pick ? acc[u][u] : t;
  b[i] = t;
}

// Right as it is: constant bounds, all unrolled, with or without pragmas; operands that are loaded once change nothing.
__global__ void nested_smell(const float* a, float* b, int m) {
  __shared__ float as[64][16], bs[16][64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[4][4] = {};
  for (int j = 0; j < m; ++j) {
    as[threadIdx.x / 4][threadIdx.x % 4] = a[i + j * 256];
    bs[threadIdx.x / 64][threadIdx.x % 64] = a[i + j * 512];
    __syncthreads();
    for (int u = 0; u < 4; ++u)
      for (int v = 0; v < 4; ++v)
        for (int k = 0; k < 16; ++k) acc[u][v] += as[threadIdx.x / 16 * 4 + u][k] * bs[k][threadIdx.x % 16 * 4 + v];
    __syncthreads();
  }
  for (int u = 0; u < 4; ++u)
    for (int v = 0; v < 4; ++v) b[i + u + v] = acc[u][v];
}

__global__ void nested_repaired(const float* a, float* b, int m) {
  __shared__ float as[64][16], bs[16][64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[4][4] = {};
  for (int j = 0; j < m; ++j) {
    as[threadIdx.x / 4][threadIdx.x % 4] = a[i + j * 256];
    bs[threadIdx.x / 64][threadIdx.x % 64] = a[i + j * 512];
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      float x[4], y[4];
#pragma unroll
      for (int u = 0; u < 4; ++u) x[u] = as[threadIdx.x / 16 * 4 + u][k];
#pragma unroll
      for (int v = 0; v < 4; ++v) y[v] = bs[k][threadIdx.x % 16 * 4 + v];
#pragma unroll
      for (int u = 0; u < 4; ++u)
#pragma unroll
        for (int v = 0; v < 4; ++v) acc[u][v] += x[u] * y[v];
    }
    __syncthreads();
  }
  for (int u = 0; u < 4; ++u)
    for (int v = 0; v < 4; ++v) b[i + u + v] = acc[u][v];
}

// 8 x 8 doubles are 128 registers: all that clang plans with for 1,024 threads a block.
__global__ void wide_smell(const double* a, double* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double acc[8][8] = {}, x[8], y[8];
  for (int j = 0; j < m; ++j) {
    for (int u = 0; u < 8; ++u) x[u] = a[i + j * 8 + u];
    for (int v = 0; v < 8; ++v) y[v] = a[i * 3 + j * 8 + v];
    for (int u = 0; u < 8; ++u)
      for (int v = 0; v < 8; ++v) acc[u][v] += x[u] * y[v];
  }
  double t = 0.0;
  for (int u = 0; u < 8; ++u)
    for (int v = 0; v < 8; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

__global__ void __launch_bounds__(256) wide_repaired(const double* a, double* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double acc[8][8] = {}, x[8], y[8];
  for (int j = 0; j < m; ++j) {
    for (int u = 0; u < 8; ++u) x[u] = a[i + j * 8 + u];
    for (int v = 0; v < 8; ++v) y[v] = a[i * 3 + j * 8 + v];
    for (int u = 0; u < 8; ++u)
      for (int v = 0; v < 8; ++v) acc[u][v] += x[u] * y[v];
  }
  double t = 0.0;
  for (int u = 0; u < 8; ++u)
    for (int v = 0; v < 8; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

// 16 x 16 floats are more than any of them makes registers of.
__global__ void square_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[16][16] = {}, x[16], y[16];
  for (int j = 0; j < m; ++j) {
    for (int u = 0; u < 16; ++u) x[u] = a[i + j * 16 + u];
    for (int v = 0; v < 16; ++v) y[v] = a[i * 3 + j * 16 + v];
    for (int u = 0; u < 16; ++u)
      for (int v = 0; v < 16; ++v) acc[u][v] += x[u] * y[v];
  }
  float t = 0.0f;
  for (int u = 0; u < 16; ++u)
    for (int v = 0; v < 16; ++v) t += acc[u][v] * (u + v);
  b[i] = t;
}

__global__ void square_repaired(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t = 0.0f;
  for (int part = 0; part < 4; ++part) {
    int row = part / 2 * 8, column = part % 2 * 8;
    float acc[8][8] = {}, x[8], y[8];
    for (int j = 0; j < m; ++j) {
      for (int u = 0; u < 8; ++u) x[u] = a[i + j * 16 + row + u];
      for (int v = 0; v < 8; ++v) y[v] = a[i * 3 + j * 16 + column + v];
      for (int u = 0; u < 8; ++u)
        for (int v = 0; v < 8; ++v) acc[u][v] += x[u] * y[v];
    }
    for (int u = 0; u < 8; ++u)
      for (int v = 0; v < 8; ++v) t += acc[u][v] * (row + u + column + v);
  }
  b[i] = t;
}
