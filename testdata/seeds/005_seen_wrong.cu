// targets: gfx90a, sm_90
// document: What the tool said wrongly at first

// technique: filled | an array that a loop fills early, used late
// rule: RP301
// why: at 6b53827 the rule was silent. No compiler moves the loads over the loop.
__global__ void __launch_bounds__(256) filled_smell(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) e[k] = w[k * n + i];
  float s[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
  }
  float t = 0.0f;
#pragma unroll
  for (int k = 0; k < 40; ++k) t += s[k];
#pragma unroll
  for (int k = 0; k < 16; ++k) t += e[k] * t;
  b[i] = t;
}

__global__ void __launch_bounds__(256) filled_repaired(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
  }
  float e[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) e[k] = w[k * n + i];
  float t = 0.0f;
#pragma unroll
  for (int k = 0; k < 40; ++k) t += s[k];
#pragma unroll
  for (int k = 0; k < 16; ++k) t += e[k] * t;
  b[i] = t;
}

// technique: own_lds | 24 floats of each thread in LDS, or in registers
// rule: RP801
// why: at 6b53827 RP402 warned of the array on gfx908, which is what RP801 advises.
// differs: own_lds gfx90a: clang has more reads of LDS on their way at a time than the estimate; the waves are what the rule is about.
__global__ void __launch_bounds__(256) own_lds_smell(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float v[24][256];
  for (int k = 0; k < 24; ++k) v[k][threadIdx.x] = a[k * n + i];
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < 24; ++k) v[k][threadIdx.x] = v[k][threadIdx.x] * w[j] + 1.0f;
  for (int k = 0; k < 24; ++k) b[k * n + i] = v[k][threadIdx.x];
}

__global__ void __launch_bounds__(256) own_lds_repaired(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[24];
  for (int k = 0; k < 24; ++k) v[k] = a[k * n + i];
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < 24; ++k) v[k] = v[k] * w[j] + 1.0f;
  for (int k = 0; k < 24; ++k) b[k * n + i] = v[k];
}

// technique: wide_tile | a tile of 16 x 16 in registers, or of 8 x 8
// rule: RP407
// why: at 6b53827 the rule said that no element is in registers and 1,024 bytes in memory. Compilers keep what fits and spill the rest.
__global__ void __launch_bounds__(256) wide_tile_smell(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c[16][16];
#pragma unroll
  for (int p = 0; p < 16; ++p)
#pragma unroll
    for (int q = 0; q < 16; ++q) c[p][q] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x[16], y[16];
#pragma unroll
    for (int p = 0; p < 16; ++p) x[p] = a[(j * 16 + p) * n + i];
#pragma unroll
    for (int p = 0; p < 16; ++p) y[p] = w[(j * 16 + p) * n + i];
#pragma unroll
    for (int p = 0; p < 16; ++p)
#pragma unroll
      for (int q = 0; q < 16; ++q) c[p][q] += x[p] * y[q];
  }
#pragma unroll
  for (int p = 0; p < 16; ++p)
#pragma unroll
    for (int q = 0; q < 16; ++q) b[(p * 16 + q) * n + i] = c[p][q];
}

__global__ void __launch_bounds__(256) wide_tile_repaired(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c[8][8];
#pragma unroll
  for (int p = 0; p < 8; ++p)
#pragma unroll
    for (int q = 0; q < 8; ++q) c[p][q] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x[8], y[8];
#pragma unroll
    for (int p = 0; p < 8; ++p) x[p] = a[(j * 8 + p) * n + i];
#pragma unroll
    for (int p = 0; p < 8; ++p) y[p] = w[(j * 8 + p) * n + i];
#pragma unroll
    for (int p = 0; p < 8; ++p)
#pragma unroll
      for (int q = 0; q < 8; ++q) c[p][q] += x[p] * y[q];
  }
#pragma unroll
  for (int p = 0; p < 8; ++p)
#pragma unroll
    for (int q = 0; q < 8; ++q) b[(p * 8 + q) * n + i] = c[p][q];
}

// technique: rolled_tile | a tile of 2 x 2 whose loops stay loops, or are unrolled
// rule: RP407
// why: at 6b53827 the tool said that the tile is in LDS. clang keeps four elements in registers whatever the loops do.
__global__ void __launch_bounds__(256) rolled_tile_smell(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
  for (int j = 0; j < m; ++j)
#pragma unroll 1
    for (int p = 0; p < 2; ++p)
#pragma unroll 1
      for (int q = 0; q < 2; ++q) c[p][q] += a[(j * 2 + p) * n + i] * w[(j * 2 + q) * n + i];
  b[i] = c[0][0] + c[0][1] + c[1][0] + c[1][1];
}

__global__ void __launch_bounds__(256) rolled_tile_repaired(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c[2][2] = {{0.0f, 0.0f}, {0.0f, 0.0f}};
  for (int j = 0; j < m; ++j)
#pragma unroll
    for (int p = 0; p < 2; ++p)
#pragma unroll
      for (int q = 0; q < 2; ++q) c[p][q] += a[(j * 2 + p) * n + i] * w[(j * 2 + q) * n + i];
  b[i] = c[0][0] + c[0][1] + c[1][0] + c[1][1];
}

// technique: many_calls | 20 calls of a math function, or a loop of 20
// rule: RP702
// why: at 6b53827 the tool said 53 registers and 8 waves for such kernels. clang begins the calls side by side.
__global__ void __launch_bounds__(256) many_calls_smell(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i], y = a[n + i];
  double r0 = sin(x + 0.0) * y;
  double r1 = sin(x + 1.0) * y;
  double r2 = sin(x + 2.0) * y;
  double r3 = sin(x + 3.0) * y;
  double r4 = sin(x + 4.0) * y;
  double r5 = sin(x + 5.0) * y;
  double r6 = sin(x + 6.0) * y;
  double r7 = sin(x + 7.0) * y;
  double r8 = sin(x + 8.0) * y;
  double r9 = sin(x + 9.0) * y;
  double r10 = sin(x + 10.0) * y;
  double r11 = sin(x + 11.0) * y;
  double r12 = sin(x + 12.0) * y;
  double r13 = sin(x + 13.0) * y;
  double r14 = sin(x + 14.0) * y;
  double r15 = sin(x + 15.0) * y;
  double r16 = sin(x + 16.0) * y;
  double r17 = sin(x + 17.0) * y;
  double r18 = sin(x + 18.0) * y;
  double r19 = sin(x + 19.0) * y;
  b[i] = r0 + r1 + r2 + r3 + r4 + r5 + r6 + r7 + r8 + r9 + r10 + r11 + r12 + r13 + r14 + r15 + r16 + r17 + r18 + r19;
}

__global__ void __launch_bounds__(256) many_calls_repaired(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i], y = a[n + i], r = 0.0;
#pragma unroll 1
  for (int k = 0; k < 20; ++k) r += sin(x + k) * y;
  b[i] = r;
}

// technique: unrolled_math | an unrolled loop with math, or one that stays
// rule: RP501
// why: at 6b53827 the tool said 52 registers and 8 waves. Each copy begins its own call.
// differs: unrolled_math sm_90: three registers by the estimate; nvcc takes 32 for both, with which an SM is full.
__global__ void __launch_bounds__(256) unrolled_math_smell(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
#pragma unroll
  for (int k = 0; k < 16; ++k) r += exp(a[k * n + i]) * sin(a[k * n + i]);
  b[i] = r;
}

__global__ void __launch_bounds__(256) unrolled_math_repaired(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) r += exp(a[k * n + i]) * sin(a[k * n + i]);
  b[i] = r;
}
