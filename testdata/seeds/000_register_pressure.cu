// targets: gfx90a, sm_90
// document: 000 AMD lab notes, register pressure on CDNA2

// technique: bounds | 1. `__launch_bounds__` for each kernel
// rule: RP101
// why: clang assumes 1,024 threads and gives 128 VGPRs, whatever is launched; nvcc assumes nothing. It matters only to a kernel that wants more.
// differs: bounds gfx90a: the low end of the band is within the budget, so that the spill is RP101's warning and no number.
__global__ void bounds_smell(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = a[k * n + i];
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) bounds_repaired(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = a[k * n + i];
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + i] = s[k];
}

// technique: bounds_small | 1. the same for a kernel that wants few registers
// rule:
// why: below the default budget there is nothing to gain.
__global__ void bounds_small_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * a[i] + 1.0f;
}

__global__ void __launch_bounds__(256) bounds_small_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * a[i] + 1.0f;
}

// technique: early_load | 2. definitions close to their use: loads held through a loop
// rule: RP301
// why: no compiler moves a load over a loop. Where it is loaded late, clang starts the loads together, so that on AMD less is gained than the values take.
__global__ void __launch_bounds__(256) early_load_smell(const double* a, const double* c, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double e0 = c[i], e1 = c[n + i], e2 = c[2 * n + i], e3 = c[3 * n + i], e4 = c[4 * n + i], e5 = c[5 * n + i];
  double e6 = c[6 * n + i], e7 = c[7 * n + i], e8 = c[8 * n + i], e9 = c[9 * n + i], e10 = c[10 * n + i];
  double e11 = c[11 * n + i], e12 = c[12 * n + i], e13 = c[13 * n + i], e14 = c[14 * n + i], e15 = c[15 * n + i];
  double s[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
  }
  double r = s[0] * e0 + s[1] * e1 + s[2] * e2 + s[3] * e3 + s[4] * e4 + s[5] * e5 + s[6] * e6 + s[7] * e7;
  b[i] = r + s[8] * e8 + s[9] * e9 + s[10] * e10 + s[11] * e11 + s[12] * e12 + s[13] * e13 + s[14] * e14 + s[15] * e15;
}

__global__ void __launch_bounds__(256) early_load_repaired(const double* a, const double* c, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
  }
  double e0 = c[i], e1 = c[n + i], e2 = c[2 * n + i], e3 = c[3 * n + i], e4 = c[4 * n + i], e5 = c[5 * n + i];
  double e6 = c[6 * n + i], e7 = c[7 * n + i], e8 = c[8 * n + i], e9 = c[9 * n + i], e10 = c[10 * n + i];
  double e11 = c[11 * n + i], e12 = c[12 * n + i], e13 = c[13 * n + i], e14 = c[14 * n + i], e15 = c[15 * n + i];
  double r = s[0] * e0 + s[1] * e1 + s[2] * e2 + s[3] * e3 + s[4] * e4 + s[5] * e5 + s[6] * e6 + s[7] * e7;
  b[i] = r + s[8] * e8 + s[9] * e9 + s[10] * e10 + s[11] * e11 + s[12] * e12 + s[13] * e13 + s[14] * e14 + s[15] * e15;
}

// technique: early_arithmetic | 2. definitions close to their use: arithmetic, moved inside one basic block
// rule:
// why: inside a basic block the scheduler puts arithmetic where it wants it; the order of the source is not kept.
__global__ void early_arithmetic_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], y = a[n + i];
  float p = x * 3.0f + y, q = x * 5.0f - y, r = x * 7.0f + y, t = x * 9.0f - y;
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) s = s * x + a[(k + 2) * n + i];
  b[i] = s * p + s * q * r + t;
}

__global__ void early_arithmetic_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], y = a[n + i];
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) s = s * x + a[(k + 2) * n + i];
  float p = x * 3.0f + y, q = x * 5.0f - y, r = x * 7.0f + y, t = x * 9.0f - y;
  b[i] = s * p + s * q * r + t;
}

// technique: early_branches | 2. definitions close to their use: loads in front of branches
// rule: RP302
// why: no compiler moves a load over a branch, even where nothing is stored.
// differs: early_branches gfx90a: the estimate starts all twelve loads together behind the branches, too; compilers load as they use them.
// differs: early_branches sm_90: the estimate starts all twelve loads together behind the branches, too; compilers load as they use them.
__global__ void __launch_bounds__(256) early_branches_smell(const double* w, const double* a, double* b, int m, int n, int t) {
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
  double s[20];
  for (int k = 0; k < 20; ++k) s[k] = a[k * n + i];
  if (t > 0) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 1) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 2) % 20] - 0.5;
  }
  if (t > 1) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 2) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 3) % 20] - 1.5;
  }
  double r = 0.0;
  for (int k = 0; k < 20; ++k) r += s[k];
  r += e0 * r;
  r += e1 * r;
  r += e2 * r;
  r += e3 * r;
  r += e4 * r;
  r += e5 * r;
  r += e6 * r;
  r += e7 * r;
  r += e8 * r;
  r += e9 * r;
  r += e10 * r;
  r += e11 * r;
  b[i] = r;
}

__global__ void __launch_bounds__(256) early_branches_repaired(const double* w, const double* a, double* b, int m, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[20];
  for (int k = 0; k < 20; ++k) s[k] = a[k * n + i];
  if (t > 0) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 1) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 2) % 20] - 0.5;
  }
  if (t > 1) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 2) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 3) % 20] - 1.5;
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
  double r = 0.0;
  for (int k = 0; k < 20; ++k) r += s[k];
  r += e0 * r;
  r += e1 * r;
  r += e2 * r;
  r += e3 * r;
  r += e4 * r;
  r += e5 * r;
  r += e6 * r;
  r += e7 * r;
  r += e8 * r;
  r += e9 * r;
  r += e10 * r;
  r += e11 * r;
  b[i] = r;
}

// technique: stack_indexed | 3. no data on the stack: an array at run-time indices
// rule: RP403
// why: registers have no addresses: what is indexed at run time and too large for a vector of registers is in memory.
__global__ void __launch_bounds__(256) stack_indexed_smell(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[32];
  for (int k = 0; k < 32; ++k) h[k] = 0.0f;
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1.0f;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
}

__global__ void __launch_bounds__(256) stack_indexed_repaired(const int* a, float* b, int m, int n) {
  __shared__ float h[32][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 32; ++k) h[k][threadIdx.x] = 0.0f;
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 31][threadIdx.x] += 1.0f;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k][threadIdx.x];
}

// technique: stack_constant | 3. no data on the stack: an array at constant indices
// rule:
// why: `double array[10]` does not live in scratch by default: with constant indices it is registers and nothing else.
// differs: stack_constant sm_90: nvcc keeps eight reads more in flight in the second kernel; both are below the 32 registers at which all warps fit.
__global__ void stack_constant_smell(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double array[10];
#pragma unroll
  for (int k = 0; k < 10; ++k) array[k] = a[k * n + i];
  double s = 0.0;
#pragma unroll
  for (int k = 0; k < 10; ++k) s = s * 0.5 + array[9 - k];
  b[i] = s;
}

__global__ void stack_constant_repaired(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll
  for (int k = 0; k < 10; ++k) s = s * 0.5 + a[(9 - k) * n + i];
  b[i] = s;
}

// technique: argument_read | 4. no big objects as arguments: one that is read
// rule:
// why: arguments lie in constant memory and are read into scalar registers or straight from there; by value is the better way.
struct Coefficients {
  double c[24];
};
__global__ void argument_read_smell(Coefficients k, const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll
  for (int j = 0; j < 24; ++j) s = s * a[i] + k.c[j];
  b[i] = s;
}

__global__ void argument_read_repaired(const Coefficients* __restrict__ k, const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll
  for (int j = 0; j < 24; ++j) s = s * a[i] + k->c[j];
  b[i] = s;
}

// technique: argument_large | 4. no big objects as arguments: a larger one, read in a loop that stores
// rule:
// why: behind a pointer it is memory that the store may change: it is read again, into registers of each thread.
// differs: argument_large sm_90: nvcc takes arguments as operands from constant memory; the estimate holds 64 of them in registers.
struct Filter {
  float c[64];
};
__global__ void argument_large_smell(const Filter k, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int e = 0; e < 64; ++e) s = s * x + k.c[e];
    b[j * n + i] = s;
  }
}

__global__ void argument_large_repaired(const Filter* k, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int e = 0; e < 64; ++e) s = s * x + k->c[e];
    b[j * n + i] = s;
  }
}

// technique: argument_written | 4. no big objects as arguments: one that is written at a run-time index
// rule: RP601
// why: what is written is a copy of its own, and at run-time indices a copy in memory.
__global__ void argument_written_smell(Coefficients k, const int* at, const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < m; ++j) k.c[at[j * n + i] % 24] += a[j * n + i];
  double s = 0.0;
  for (int j = 0; j < 24; ++j) s += k.c[j];
  b[i] = s;
}

__global__ void __launch_bounds__(128) argument_written_repaired(Coefficients k, const int* at, const double* a, double* b,
                                                                int m, int n) {
  __shared__ double own[24][128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int j = 0; j < 24; ++j) own[j][threadIdx.x] = k.c[j];
  for (int j = 0; j < m; ++j) own[at[j * n + i] % 24][threadIdx.x] += a[j * n + i];
  double s = 0.0;
  for (int j = 0; j < 24; ++j) s += own[j][threadIdx.x];
  b[i] = s;
}

// technique: pow | 5. few function calls: `pow(x, 2.0)` as `x * x`
// rule: RP201
// why: none of the compilers folds the call. The document saw 102 -> 100; in a small kernel it is most of what there is.
__global__ void pow_smell(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = pow(a[i], 2.0) + 1.0;
}

__global__ void pow_repaired(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * a[i] + 1.0;
}

// technique: calls | 5. few function calls: FP64 functions in a loop
// rule: RP203
// why: gfx9 has no 64-bit literals: the constants of the polynomial are held in VGPRs through the loop.
// differs: calls sm_90: nvcc calls its routine for FP64 sine in both; the second call costs what has to outlive it.
// differs: calls gfx90a: a function that is not inlined has registers of its own; the estimate counts it as if it were.
__global__ void __launch_bounds__(256) calls_smell(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  for (int j = 0; j < m; ++j) {
    double x = sin(a[j * n + i]);
    s0 += x; s1 += x * s0; s2 += x * s1; s3 += x * s2; s4 += x * s3; s5 += x * s4; s6 += x * s5; s7 += x * s6;
  }
  b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
}

__device__ __attribute__((noinline)) double sine(double x) { return sin(x); }

__global__ void __launch_bounds__(256) calls_repaired(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
  for (int j = 0; j < m; ++j) {
    double x = sine(a[j * n + i]);
    s0 += x; s1 += x * s0; s2 += x * s1; s3 += x * s2; s4 += x * s3; s5 += x * s4; s6 += x * s5; s7 += x * s6;
  }
  b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
}

// technique: copies | 5. few function calls: copies of a function, or one that stands by itself
// rule: RP702
// why: clang begins all sines before it ends the first one. Copies of other functions cost nothing of the kind: their number tells nothing.
// differs: copies gfx90a: the estimate takes a function with `noinline` for one that is inlined.
__device__ double wave_smell(double x, double k) { return sin(x * k) * x + k; }

__global__ void __launch_bounds__(256) copies_smell(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0 = a[0 * n + i];
  double s1 = a[1 * n + i];
  double s2 = a[2 * n + i];
  double s3 = a[3 * n + i];
  double s4 = a[4 * n + i];
  double s5 = a[5 * n + i];
  double s6 = a[6 * n + i];
  double s7 = a[7 * n + i];
  double r = wave_smell(s0, 0.5) + wave_smell(s1, 1.5) + wave_smell(s2, 2.5) + wave_smell(s3, 3.5);
  r += wave_smell(s4, 4.5) + wave_smell(s5, 5.5) + wave_smell(s6, 6.5) + wave_smell(s7, 7.5);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
  b[6 * n + i] = s6 * r;
  b[7 * n + i] = s7 * r;
}

__attribute__((noinline)) __device__ double wave_repaired(double x, double k) { return sin(x * k) * x + k; }

__global__ void __launch_bounds__(256) copies_repaired(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0 = a[0 * n + i];
  double s1 = a[1 * n + i];
  double s2 = a[2 * n + i];
  double s3 = a[3 * n + i];
  double s4 = a[4 * n + i];
  double s5 = a[5 * n + i];
  double s6 = a[6 * n + i];
  double s7 = a[7 * n + i];
  double r = wave_repaired(s0, 0.5) + wave_repaired(s1, 1.5) + wave_repaired(s2, 2.5) + wave_repaired(s3, 3.5);
  r += wave_repaired(s4, 4.5) + wave_repaired(s5, 5.5) + wave_repaired(s6, 6.5) + wave_repaired(s7, 7.5);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
  b[6 * n + i] = s6 * r;
  b[7 * n + i] = s7 * r;
}

// technique: unroll | 6. loop unrolling under control: copies of a call
// rule: RP501
// why: each copy has its own call, and the copies' values are alive together. Without the pragma clang keeps the loop.
// differs: unroll gfx90a: rolled, the constants of both polynomials are held through the loop (RP203); unrolled, each copy loads them again.
__global__ void __launch_bounds__(256) unroll_smell(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll
  for (int j = 0; j < 16; ++j) s += exp(a[j * n + i]) * log(a[j * n + i] + 2.0);
  b[i] = s;
}

__global__ void __launch_bounds__(256) unroll_repaired(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 1
  for (int j = 0; j < 16; ++j) s += exp(a[j * n + i]) * log(a[j * n + i] + 2.0);
  b[i] = s;
}

// technique: lds_spill | 7. long-lived values spilled to LDS by hand
// rule:
// why: it moves what the loop only carries out of the registers; the price is LDS, here 16 KiB a block. Without the barrier compilers keep the values in registers as well: they see what was stored.
__global__ void __launch_bounds__(128) lds_spill_smell(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double e[16], s[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) e[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) b[k * n + i] = s[k] - e[k];
}

__global__ void __launch_bounds__(128) lds_spill_repaired(const double* a, double* b, int m, int n) {
  __shared__ double e[16][128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) e[k][threadIdx.x] = a[k * n + i];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) b[k * n + i] = s[k] - e[k][threadIdx.x];
}

// technique: restrict_uniform | `__restrict__`: a load that is the same for all threads, behind a store
// rule: RP604
// why: without the promise the store may change the value, and clang loads it into VGPRs instead of SGPRs.
__global__ void restrict_uniform_smell(const float* w, const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  for (int k = 0; k < 4; ++k) {
    b[k * n + i] = x;
#pragma unroll
    for (int j = 0; j < 16; ++j) x = x * w[k * 16 + j] + 1.0f;
  }
  b[i] = x;
}

__global__ void restrict_uniform_repaired(const float* __restrict__ w, const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  for (int k = 0; k < 4; ++k) {
    b[k * n + i] = x;
#pragma unroll
    for (int j = 0; j < 16; ++j) x = x * w[k * 16 + j] + 1.0f;
  }
  b[i] = x;
}

// technique: restrict_each | `__restrict__`: loads of a thread's own elements
// rule:
// why: the promise lets the compiler keep loads in flight together: as often as not it costs registers.
__global__ void restrict_each_smell(const float* a, const float* c, float* b, float* d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    b[k * n + i] = a[k * n + i] * 2.0f;
    d[k * n + i] = c[k * n + i] + a[k * n + i];
  }
}

__global__ void restrict_each_repaired(const float* __restrict__ a, const float* __restrict__ c, float* __restrict__ b,
                                       float* __restrict__ d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    b[k * n + i] = a[k * n + i] * 2.0f;
    d[k * n + i] = c[k * n + i] + a[k * n + i];
  }
}
