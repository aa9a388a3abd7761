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

// technique: eight_tile | a tile of 4 x 2 whose loops stay loops, beside 8 KiB of LDS, or are unrolled
// rule: RP407
// why: at 6b53827 the tool said that such tiles are in LDS. clang takes LDS for them as far as no wave is lost by it; beside the kernel's own there is no room.
// differs: eight_tile sm_90: nvcc picks the element by comparisons here; where both factors are read in the innermost loop it has 32 bytes.
__global__ void __launch_bounds__(256) eight_tile_smell(const float* a, const float* w, float* b, int m, int n) {
  __shared__ float s[2048];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < 2048; k += 256) s[k] = w[k];
  __syncthreads();
  float t[4][2] = {};
  for (int j = 0; j < m; ++j)
#pragma unroll 1
    for (int p = 0; p < 4; ++p)
#pragma unroll 1
      for (int q = 0; q < 2; ++q) t[p][q] += a[(j * 4 + p) * n + i] * s[j * 2 + q];
#pragma unroll
  for (int p = 0; p < 4; ++p)
#pragma unroll
    for (int q = 0; q < 2; ++q) b[(p * 2 + q) * n + i] = t[p][q];
}

__global__ void __launch_bounds__(256) eight_tile_repaired(const float* a, const float* w, float* b, int m, int n) {
  __shared__ float s[2048];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < 2048; k += 256) s[k] = w[k];
  __syncthreads();
  float t[4][2] = {};
  for (int j = 0; j < m; ++j)
#pragma unroll
    for (int p = 0; p < 4; ++p)
#pragma unroll
      for (int q = 0; q < 2; ++q) t[p][q] += a[(j * 4 + p) * n + i] * s[j * 2 + q];
#pragma unroll
  for (int p = 0; p < 4; ++p)
#pragma unroll
    for (int q = 0; q < 2; ++q) b[(p * 2 + q) * n + i] = t[p][q];
}

// technique: lattice | the lattice kernel of document 000 in our own words: `pow(c, 2.0)`, or `c * c`
// rule: RP201
// why: at 6b53827 the tool said 138 registers, a warning of RP101, and 28 registers gained on gfx90a. clang holds as much for the loads in flight with `c * c`.
__global__ void lattice_smell(double* out0, double* out1, double* out2, double* out3, double* out4, double*
    out5, double* out6, double* out7, double* out8, double* out9, double* out10, double* out11, double* out12,
    double* out13, double* out14, const double* in0, const double* in1, const double* in2, const double* in3,
    const double* in4, const double* in5, const double* in6, const double* in7, const double* in8, const double*
    in9, const double* in10, const double* in11, const double* in12, const double* in13, const double* in14,
    const double* phase, const double* lap, int n, int row, int slab, double beta, double tau, double force) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double c = phase[i];
  double square = pow(c, 2.0);
  double mu = beta * (2.0 * c - 6.0 * square + 4.0 * square * c) - tau * lap[i];
  double g0 = in0[i];
  double g1 = in1[i - 1];
  double g2 = in2[i + 1];
  double g3 = in3[i - row];
  double g4 = in4[i + row];
  double g5 = in5[i - slab];
  double g6 = in6[i + slab];
  double g7 = in7[i - 1 - row];
  double g8 = in8[i + 1 + row];
  double g9 = in9[i - 1 + row];
  double g10 = in10[i + 1 - row];
  double g11 = in11[i - 1 - slab];
  double g12 = in12[i + 1 + slab];
  double g13 = in13[i - row - slab];
  double g14 = in14[i + row + slab];
  double rho = g0 + g1 + g2 + g3 + g4 + g5 + g6 + g7 + g8 + g9 + g10 + g11 + g12 + g13 + g14;
  double u = (g1 + g7 + g9 + g11 - g2 - g8 - g10 - g12) / rho;
  double v = (g3 + g7 + g10 + g13 - g4 - g8 - g9 - g14) / rho;
  double w = (g5 + g11 + g13 - g6 - g12 - g14) / rho;
  double drag = 1.5 * (u * u + v * v + w * w), pull = force * mu;
  out0[i] = g0 + tau * (2.0 / 9 * rho * (1.0 - drag) - g0) - pull * drag;
  double e1 = u;
  out1[i] = g1 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e1 + 4.5 * e1 * e1 - drag) - g1) + pull * (e1 - u);
  double e2 = -u;
  out2[i] = g2 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e2 + 4.5 * e2 * e2 - drag) - g2) + pull * (e2 - v);
  double e3 = v;
  out3[i] = g3 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e3 + 4.5 * e3 * e3 - drag) - g3) + pull * (e3 - u);
  double e4 = -v;
  out4[i] = g4 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e4 + 4.5 * e4 * e4 - drag) - g4) + pull * (e4 - v);
  double e5 = w;
  out5[i] = g5 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e5 + 4.5 * e5 * e5 - drag) - g5) + pull * (e5 - u);
  double e6 = -w;
  out6[i] = g6 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e6 + 4.5 * e6 * e6 - drag) - g6) + pull * (e6 - v);
  double e7 = u + v;
  out7[i] = g7 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e7 + 4.5 * e7 * e7 - drag) - g7) + pull * (e7 - u);
  double e8 = -u - v;
  out8[i] = g8 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e8 + 4.5 * e8 * e8 - drag) - g8) + pull * (e8 - v);
  double e9 = u - v;
  out9[i] = g9 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e9 + 4.5 * e9 * e9 - drag) - g9) + pull * (e9 - u);
  double e10 = -u + v;
  out10[i] = g10 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e10 + 4.5 * e10 * e10 - drag) - g10) + pull * (e10 - v);
  double e11 = u + w;
  out11[i] = g11 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e11 + 4.5 * e11 * e11 - drag) - g11) + pull * (e11 - u);
  double e12 = -u - w;
  out12[i] = g12 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e12 + 4.5 * e12 * e12 - drag) - g12) + pull * (e12 - v);
  double e13 = v + w;
  out13[i] = g13 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e13 + 4.5 * e13 * e13 - drag) - g13) + pull * (e13 - u);
  double e14 = -v - w;
  out14[i] = g14 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e14 + 4.5 * e14 * e14 - drag) - g14) + pull * (e14 - v);
}

__global__ void lattice_repaired(double* out0, double* out1, double* out2, double* out3, double* out4, double*
    out5, double* out6, double* out7, double* out8, double* out9, double* out10, double* out11, double* out12,
    double* out13, double* out14, const double* in0, const double* in1, const double* in2, const double* in3,
    const double* in4, const double* in5, const double* in6, const double* in7, const double* in8, const double*
    in9, const double* in10, const double* in11, const double* in12, const double* in13, const double* in14,
    const double* phase, const double* lap, int n, int row, int slab, double beta, double tau, double force) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double c = phase[i];
  double square = c * c;
  double mu = beta * (2.0 * c - 6.0 * square + 4.0 * square * c) - tau * lap[i];
  double g0 = in0[i];
  double g1 = in1[i - 1];
  double g2 = in2[i + 1];
  double g3 = in3[i - row];
  double g4 = in4[i + row];
  double g5 = in5[i - slab];
  double g6 = in6[i + slab];
  double g7 = in7[i - 1 - row];
  double g8 = in8[i + 1 + row];
  double g9 = in9[i - 1 + row];
  double g10 = in10[i + 1 - row];
  double g11 = in11[i - 1 - slab];
  double g12 = in12[i + 1 + slab];
  double g13 = in13[i - row - slab];
  double g14 = in14[i + row + slab];
  double rho = g0 + g1 + g2 + g3 + g4 + g5 + g6 + g7 + g8 + g9 + g10 + g11 + g12 + g13 + g14;
  double u = (g1 + g7 + g9 + g11 - g2 - g8 - g10 - g12) / rho;
  double v = (g3 + g7 + g10 + g13 - g4 - g8 - g9 - g14) / rho;
  double w = (g5 + g11 + g13 - g6 - g12 - g14) / rho;
  double drag = 1.5 * (u * u + v * v + w * w), pull = force * mu;
  out0[i] = g0 + tau * (2.0 / 9 * rho * (1.0 - drag) - g0) - pull * drag;
  double e1 = u;
  out1[i] = g1 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e1 + 4.5 * e1 * e1 - drag) - g1) + pull * (e1 - u);
  double e2 = -u;
  out2[i] = g2 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e2 + 4.5 * e2 * e2 - drag) - g2) + pull * (e2 - v);
  double e3 = v;
  out3[i] = g3 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e3 + 4.5 * e3 * e3 - drag) - g3) + pull * (e3 - u);
  double e4 = -v;
  out4[i] = g4 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e4 + 4.5 * e4 * e4 - drag) - g4) + pull * (e4 - v);
  double e5 = w;
  out5[i] = g5 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e5 + 4.5 * e5 * e5 - drag) - g5) + pull * (e5 - u);
  double e6 = -w;
  out6[i] = g6 + tau * (1.0 / 9 * rho * (1.0 + 3.0 * e6 + 4.5 * e6 * e6 - drag) - g6) + pull * (e6 - v);
  double e7 = u + v;
  out7[i] = g7 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e7 + 4.5 * e7 * e7 - drag) - g7) + pull * (e7 - u);
  double e8 = -u - v;
  out8[i] = g8 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e8 + 4.5 * e8 * e8 - drag) - g8) + pull * (e8 - v);
  double e9 = u - v;
  out9[i] = g9 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e9 + 4.5 * e9 * e9 - drag) - g9) + pull * (e9 - u);
  double e10 = -u + v;
  out10[i] = g10 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e10 + 4.5 * e10 * e10 - drag) - g10) + pull * (e10 - v);
  double e11 = u + w;
  out11[i] = g11 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e11 + 4.5 * e11 * e11 - drag) - g11) + pull * (e11 - u);
  double e12 = -u - w;
  out12[i] = g12 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e12 + 4.5 * e12 * e12 - drag) - g12) + pull * (e12 - v);
  double e13 = v + w;
  out13[i] = g13 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e13 + 4.5 * e13 * e13 - drag) - g13) + pull * (e13 - u);
  double e14 = -v - w;
  out14[i] = g14 + tau * (1.0 / 72 * rho * (1.0 + 3.0 * e14 + 4.5 * e14 * e14 - drag) - g14) + pull * (e14 - v);
}
