// targets: gfx90a, gfx1100, sm_90
// 16 doubles loaded in front of a loop over 16 sums, used behind it.
// time: early threads=262144 size=8388608 m=16 n=262144
__global__ void early_smell(const double* w, const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double e0 = w[0 * n + i];
  double e1 = w[1 * n + i];
  double e2 = w[2 * n + i];
  double e3 = w[3 * n + i];
  double e4 = w[4 * n + i];
  double e5 = w[5 * n + i];
  double e6 = w[6 * n + i];
  double e7 = w[7 * n + i];
  double e8 = w[8 * n + i];
  double e9 = w[9 * n + i];
  double e10 = w[10 * n + i];
  double e11 = w[11 * n + i];
  double e12 = w[12 * n + i];
  double e13 = w[13 * n + i];
  double e14 = w[14 * n + i];
  double e15 = w[15 * n + i];
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16];
  }
  double r = 0.0;
  for (int k = 0; k < 16; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5] + e6 * s[6] + e7 * s[7] + e8 * s[8] + e9 * s[9] + e10 * s[10] + e11 * s[11] + e12 * s[12] + e13 * s[13] + e14 * s[14] + e15 * s[15];
}

__global__ void early_repaired(const double* w, const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16];
  }
  double e0 = w[0 * n + i];
  double e1 = w[1 * n + i];
  double e2 = w[2 * n + i];
  double e3 = w[3 * n + i];
  double e4 = w[4 * n + i];
  double e5 = w[5 * n + i];
  double e6 = w[6 * n + i];
  double e7 = w[7 * n + i];
  double e8 = w[8 * n + i];
  double e9 = w[9 * n + i];
  double e10 = w[10 * n + i];
  double e11 = w[11 * n + i];
  double e12 = w[12 * n + i];
  double e13 = w[13 * n + i];
  double e14 = w[14 * n + i];
  double e15 = w[15 * n + i];
  double r = 0.0;
  for (int k = 0; k < 16; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5] + e6 * s[6] + e7 * s[7] + e8 * s[8] + e9 * s[9] + e10 * s[10] + e11 * s[11] + e12 * s[12] + e13 * s[13] + e14 * s[14] + e15 * s[15];
}

// 24 floats and 48 sums.
// time: floats threads=262144 size=8388608 m=16 n=262144
__global__ void floats_smell(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e0 = w[0 * n + i];
  float e1 = w[1 * n + i];
  float e2 = w[2 * n + i];
  float e3 = w[3 * n + i];
  float e4 = w[4 * n + i];
  float e5 = w[5 * n + i];
  float e6 = w[6 * n + i];
  float e7 = w[7 * n + i];
  float e8 = w[8 * n + i];
  float e9 = w[9 * n + i];
  float e10 = w[10 * n + i];
  float e11 = w[11 * n + i];
  float e12 = w[12 * n + i];
  float e13 = w[13 * n + i];
  float e14 = w[14 * n + i];
  float e15 = w[15 * n + i];
  float e16 = w[16 * n + i];
  float e17 = w[17 * n + i];
  float e18 = w[18 * n + i];
  float e19 = w[19 * n + i];
  float e20 = w[20 * n + i];
  float e21 = w[21 * n + i];
  float e22 = w[22 * n + i];
  float e23 = w[23 * n + i];
  float s[48];
  for (int k = 0; k < 48; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
  }
  float r = 0.0f;
  for (int k = 0; k < 48; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5] + e6 * s[6] + e7 * s[7] + e8 * s[8] + e9 * s[9] + e10 * s[10] + e11 * s[11] + e12 * s[12] + e13 * s[13] + e14 * s[14] + e15 * s[15] + e16 * s[16] + e17 * s[17] + e18 * s[18] + e19 * s[19] + e20 * s[20] + e21 * s[21] + e22 * s[22] + e23 * s[23];
}

__global__ void floats_repaired(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[48];
  for (int k = 0; k < 48; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
  }
  float e0 = w[0 * n + i];
  float e1 = w[1 * n + i];
  float e2 = w[2 * n + i];
  float e3 = w[3 * n + i];
  float e4 = w[4 * n + i];
  float e5 = w[5 * n + i];
  float e6 = w[6 * n + i];
  float e7 = w[7 * n + i];
  float e8 = w[8 * n + i];
  float e9 = w[9 * n + i];
  float e10 = w[10 * n + i];
  float e11 = w[11 * n + i];
  float e12 = w[12 * n + i];
  float e13 = w[13 * n + i];
  float e14 = w[14 * n + i];
  float e15 = w[15 * n + i];
  float e16 = w[16 * n + i];
  float e17 = w[17 * n + i];
  float e18 = w[18 * n + i];
  float e19 = w[19 * n + i];
  float e20 = w[20 * n + i];
  float e21 = w[21 * n + i];
  float e22 = w[22 * n + i];
  float e23 = w[23 * n + i];
  float r = 0.0f;
  for (int k = 0; k < 48; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5] + e6 * s[6] + e7 * s[7] + e8 * s[8] + e9 * s[9] + e10 * s[10] + e11 * s[11] + e12 * s[12] + e13 * s[13] + e14 * s[14] + e15 * s[15] + e16 * s[16] + e17 * s[17] + e18 * s[18] + e19 * s[19] + e20 * s[20] + e21 * s[21] + e22 * s[22] + e23 * s[23];
}

// Four floats: the loop has room for them.
// time: few threads=262144 size=8388608 m=16 n=262144
__global__ void few_smell(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e0 = w[0 * n + i];
  float e1 = w[1 * n + i];
  float e2 = w[2 * n + i];
  float e3 = w[3 * n + i];
  float s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16];
  }
  float r = 0.0f;
  for (int k = 0; k < 16; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3];
}

__global__ void few_repaired(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16];
  }
  float e0 = w[0 * n + i];
  float e1 = w[1 * n + i];
  float e2 = w[2 * n + i];
  float e3 = w[3 * n + i];
  float r = 0.0f;
  for (int k = 0; k < 16; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3];
}

// Arithmetic, not loads: compilers sink it behind the loop by themselves.
// time: computed threads=262144 size=8388608 m=16 n=262144
// known miss: computed sm_90: ptxas keeps some of this arithmetic early; other arithmetic it sinks
__global__ void computed_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e0 = i * 0.15f + 0;
  float e1 = i * 0.25f + 1;
  float e2 = i * 0.35f + 2;
  float e3 = i * 0.45f + 3;
  float e4 = i * 0.55f + 4;
  float e5 = i * 0.65f + 5;
  float e6 = i * 0.75f + 6;
  float e7 = i * 0.85f + 7;
  float e8 = i * 0.95f + 8;
  float e9 = i * 0.105f + 9;
  float e10 = i * 0.115f + 10;
  float e11 = i * 0.125f + 11;
  float e12 = i * 0.135f + 12;
  float e13 = i * 0.145f + 13;
  float e14 = i * 0.155f + 14;
  float e15 = i * 0.165f + 15;
  float s[48];
  for (int k = 0; k < 48; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
  }
  float r = 0.0f;
  for (int k = 0; k < 48; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5] + e6 * s[6] + e7 * s[7] + e8 * s[8] + e9 * s[9] + e10 * s[10] + e11 * s[11] + e12 * s[12] + e13 * s[13] + e14 * s[14] + e15 * s[15];
}

__global__ void computed_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[48];
  for (int k = 0; k < 48; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
  }
  float e0 = i * 0.15f + 0;
  float e1 = i * 0.25f + 1;
  float e2 = i * 0.35f + 2;
  float e3 = i * 0.45f + 3;
  float e4 = i * 0.55f + 4;
  float e5 = i * 0.65f + 5;
  float e6 = i * 0.75f + 6;
  float e7 = i * 0.85f + 7;
  float e8 = i * 0.95f + 8;
  float e9 = i * 0.105f + 9;
  float e10 = i * 0.115f + 10;
  float e11 = i * 0.125f + 11;
  float e12 = i * 0.135f + 12;
  float e13 = i * 0.145f + 13;
  float e14 = i * 0.155f + 14;
  float e15 = i * 0.165f + 15;
  float r = 0.0f;
  for (int k = 0; k < 48; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5] + e6 * s[6] + e7 * s[7] + e8 * s[8] + e9 * s[9] + e10 * s[10] + e11 * s[11] + e12 * s[12] + e13 * s[13] + e14 * s[14] + e15 * s[15];
}

// Loads from shared memory, which are near.
// time: staged threads=262144 size=8388608 m=16 n=262144
// known miss: staged sm_90: loads from shared memory are left out, and these eight happen to cross the step at 32
__global__ void staged_smell(const float* w, const float* a, float* b, int m, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = w[i];
  __syncthreads();
  float e0 = tile[threadIdx.x ^ 0];
  float e1 = tile[threadIdx.x ^ 1];
  float e2 = tile[threadIdx.x ^ 2];
  float e3 = tile[threadIdx.x ^ 3];
  float e4 = tile[threadIdx.x ^ 4];
  float e5 = tile[threadIdx.x ^ 5];
  float e6 = tile[threadIdx.x ^ 6];
  float e7 = tile[threadIdx.x ^ 7];
  float s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16];
  }
  float r = 0.0f;
  for (int k = 0; k < 16; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5] + e6 * s[6] + e7 * s[7];
}

__global__ void staged_repaired(const float* w, const float* a, float* b, int m, int n) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = w[i];
  __syncthreads();
  float s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16];
  }
  float e0 = tile[threadIdx.x ^ 0];
  float e1 = tile[threadIdx.x ^ 1];
  float e2 = tile[threadIdx.x ^ 2];
  float e3 = tile[threadIdx.x ^ 3];
  float e4 = tile[threadIdx.x ^ 4];
  float e5 = tile[threadIdx.x ^ 5];
  float e6 = tile[threadIdx.x ^ 6];
  float e7 = tile[threadIdx.x ^ 7];
  float r = 0.0f;
  for (int k = 0; k < 16; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5] + e6 * s[6] + e7 * s[7];
}

// The same for all threads: scalar registers on AMD, registers of every thread on NVIDIA.
// time: uniform threads=262144 size=8388608 m=16 n=262144
__global__ void uniform_smell(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e0 = w[0];
  float e1 = w[1];
  float e2 = w[2];
  float e3 = w[3];
  float e4 = w[4];
  float e5 = w[5];
  float e6 = w[6];
  float e7 = w[7];
  float e8 = w[8];
  float e9 = w[9];
  float e10 = w[10];
  float e11 = w[11];
  float e12 = w[12];
  float e13 = w[13];
  float e14 = w[14];
  float e15 = w[15];
  float s[24];
  for (int k = 0; k < 24; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 24; ++k) s[k] = s[k] * x + s[(k + 1) % 24];
  }
  float r = 0.0f;
  for (int k = 0; k < 24; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5] + e6 * s[6] + e7 * s[7] + e8 * s[8] + e9 * s[9] + e10 * s[10] + e11 * s[11] + e12 * s[12] + e13 * s[13] + e14 * s[14] + e15 * s[15];
}

__global__ void uniform_repaired(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[24];
  for (int k = 0; k < 24; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 24; ++k) s[k] = s[k] * x + s[(k + 1) % 24];
  }
  float e0 = w[0];
  float e1 = w[1];
  float e2 = w[2];
  float e3 = w[3];
  float e4 = w[4];
  float e5 = w[5];
  float e6 = w[6];
  float e7 = w[7];
  float e8 = w[8];
  float e9 = w[9];
  float e10 = w[10];
  float e11 = w[11];
  float e12 = w[12];
  float e13 = w[13];
  float e14 = w[14];
  float e15 = w[15];
  float r = 0.0f;
  for (int k = 0; k < 24; ++k) r += s[k];
  b[i] = r + e0 * s[0] + e1 * s[1] + e2 * s[2] + e3 * s[3] + e4 * s[4] + e5 * s[5] + e6 * s[6] + e7 * s[7] + e8 * s[8] + e9 * s[9] + e10 * s[10] + e11 * s[11] + e12 * s[12] + e13 * s[13] + e14 * s[14] + e15 * s[15];
}

// An array of 16 floats that a loop fills in front of 48 sums, used behind them.
__global__ void __launch_bounds__(256) filled_smell(const float* a, const float* c, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e[16];
  for (int j = 0; j < 16; ++j) e[j] = a[j * n + i];
  float s[48];
  for (int j = 0; j < 48; ++j) s[j] = 0.0f;
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < 48; ++j) s[j] += c[k * 48 + j] * c[i + k * n + j * 7];
  float r = 0.0f;
  for (int j = 0; j < 48; ++j) r += s[j] * s[(j + 7) % 48];
  for (int j = 0; j < 16; ++j) b[j * n + i] = e[j] * r;
}

__global__ void __launch_bounds__(256) filled_repaired(const float* a, const float* c, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[48];
  for (int j = 0; j < 48; ++j) s[j] = 0.0f;
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < 48; ++j) s[j] += c[k * 48 + j] * c[i + k * n + j * 7];
  float r = 0.0f;
  for (int j = 0; j < 48; ++j) r += s[j] * s[(j + 7) % 48];
  float e[16];
  for (int j = 0; j < 16; ++j) e[j] = a[j * n + i];
  for (int j = 0; j < 16; ++j) b[j * n + i] = e[j] * r;
}
