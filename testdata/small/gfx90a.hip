// Small kernels with the VGPRs that clang++-19 -O3 gives each for gfx90a, and what regpress-lint holds at the widest point
// where that is not the same. tests/test_small_kernels.py reads the numbers.
#include <hip/hip_runtime.h>
// ---- straight-line
__global__ void constant_store(float *o) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = 1; }  // 3
__global__ void scaled(float *o, const float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i] * 2; }  // 4
__global__ void scaled_restrict(float *__restrict__ o, const float *__restrict__ a) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i] * 2; }  // 4
__global__ void scaled_unsigned(float *o, const float *a) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i] * 2; }  // 4
__global__ void guarded(float *o, const float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = a[i] * 2; }  // 4
__global__ void guarded_size_t(float *o, const float *a, size_t n) { size_t i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = a[i] * 2; }  // 4
__global__ void lanes(float *o, const float *a) { int i = threadIdx.x; o[i] = a[i] * 2; }  // 2
__global__ void lanes_apart(float *o, const float *a) { int i = threadIdx.x + 4; o[i] = a[i - 3] * 2; }  // 2
__global__ void lanes_strided(float *o, const float *a) { int i = threadIdx.x * 64 + 5; o[i] = a[i] * 2; }  // 2
__global__ void fixed_block(float *o, const float *a) { int i = blockIdx.x * 256 + threadIdx.x; o[i] = a[i] * 2; }  // 4
__global__ void masked(float *o, const float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i & 1023] = a[i & 1023] * 2; }  // 2
__global__ void remainder_unsigned(float *o, const float *a) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; o[i % 100] = a[i % 100] * 2; }  // 2
__global__ void shifted(float *o, const float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i >> 3] = a[i >> 3] * 2; }  // 4
__global__ void shifted_unsigned(float *o, const float *a) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; o[i >> 3] = a[i >> 3] * 2; }  // 2
__global__ void bytes_unsigned(char *o, const char *a) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i] * 2; }  // 2
__global__ void bytes_signed(char *o, const char *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i] * 2; }  // 5, held 4
__global__ void row(float *o, const float *a, int n) { int i = threadIdx.x, b = blockIdx.x; o[b * n + i] = a[b * n + i] * 2; }  // 4
__global__ void doubles(double *o, const double *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i] * 2; }  // 5
__global__ void sum2(float *o, const float *a, const float *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i] + b[i]; }  // 5
__global__ void sum2_double(double *o, const double *a, const double *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i] + b[i]; }  // 7, held 6
__global__ void gather(float *o, const float *a, const int *x) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[x[i]]; }  // 5
__global__ void increment(int *o) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] += 1; }  // 3
__global__ void mixed_sizes(double *o, const float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i]; }  // 5, held 4
__global__ void neighbours(float *o, const float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i - 1] + a[i] + a[i + 1]; }  // 6
__global__ void neighbours3(float *__restrict__ o, const float *__restrict__ a) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i - 1] * a[i] * a[i + 1]; }  // 6
__global__ void plane(float *o, const float *a, int w) { int x = blockIdx.x * blockDim.x + threadIdx.x; int y = blockIdx.y * blockDim.y + threadIdx.y; o[y * w + x] = a[y * w + x] * 2; }  // 4
__global__ void axpy(float *y, const float *x, float f, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = f * x[i] + y[i]; }  // 4
__global__ void clipped(int *o, const int *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; int x = a[i]; o[i] = x < 0 ? 0 : x > 255 ? 255 : x; }  // 5, held 4
__global__ void hash(unsigned *o, const unsigned *a) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; unsigned x = a[i]; x ^= x >> 16; x *= 0x85ebca6bu; x ^= x >> 13; o[i] = x; }  // 5, held 4
__global__ void distance3(float *o, const float *x, const float *y, const float *z) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = x[i] * x[i] + y[i] * y[i] + z[i] * z[i]; }  // 6, held 5
__global__ void exchange(float *o, const float *a) { __shared__ float s[256]; int t = threadIdx.x; s[t] = a[t]; __syncthreads(); o[t] = s[255 - t]; }  // 3
__global__ void histogram(int *o, const unsigned char *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(&o[a[i]], 1); }  // 3
__global__ void two_outputs(float *o, float *p, const float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; float x = a[i]; o[i] = x * 2; p[i] = x * 3; }  // 6
__global__ void long_index(float *o, const float *a, long n) { long i = (long)blockIdx.x * n + threadIdx.x; o[i] = a[i] * 2; }  // 4
__global__ void structure(int *o, const int3 *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; int3 x = a[i]; o[i] = x.x + x.y + x.z; }  // 6, held 5
__global__ void lane_constant(float *o) { int i = threadIdx.x; o[i] = 1; }  // 2, held 1
__global__ void remainder_signed(float *o, const float *a, int n) { int i = n + threadIdx.x; o[i % 100] = a[i % 100] * 2; }  // 4
__global__ void parity(int *o, const int *a) { int i = threadIdx.x ^ 1; o[i] = a[i] & 1; }  // 2
__global__ void interleaved(float *o, const float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[2 * i] = a[2 * i + 1]; }  // 4
// ---- loops
__global__ void rows_summed(float *o, const float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int k = 0; k < n; k++) s += a[i * n + k]; o[i] = s; }  // 5
__global__ void columns_summed(float *o, const float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int k = 0; k < n; k++) s += a[k * n + i]; o[i] = s; }  // 8, held 7
__global__ void grid_stride(float *o, const float *a, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) o[i] = a[i] * 2; }  // 8, held 7
__global__ void grid_stride_in_place(float *o, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) o[i] = 2 * o[i]; }  // 6, held 5
__global__ void iterated(float *o, const float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; float x = a[i]; for (int k = 0; k < n; k++) x = x * x + 0.5f; o[i] = x; }  // 4
__global__ void dot_rows(float *o, const float *a, const float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int k = 0; k < n; k++) s += a[i * n + k] * b[k]; o[i] = s; }  // 5
__global__ void product(float *c, const float *a, const float *b, int n) { int x = blockIdx.x * blockDim.x + threadIdx.x; int y = blockIdx.y * blockDim.y + threadIdx.y; float s = 0; for (int k = 0; k < n; k++) s += a[y * n + k] * b[k * n + x]; c[y * n + x] = s; }  // 11, held 10
__global__ void unsigned_rows(float *o, const float *a, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (unsigned k = 0; k < n; k++) s += a[i * n + k]; o[i] = s; }  // 8, held 7
__global__ void doubles_summed(double *o, const double *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; double s = 0; for (int k = 0; k < n; k++) s += a[k * n + i]; o[i] = s; }  // 8
__global__ void largest_of(float *o, const float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; float m = a[i]; for (int k = 1; k < n; k++) m = fmaxf(m, a[k * n + i]); o[i] = m; }  // 7, held 8
__global__ void walk(int *o, const int *next, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int p = i; for (int k = 0; k < n; k++) p = next[p]; o[i] = p; }  // 4, held 5
__global__ void pointwise_rows(float *o, const float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 0; k < n; k++) o[i * n + k] = a[i * n + k] * 2; }  // 5
__global__ void pointwise_columns(float *o, const float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 0; k < n; k++) o[k * n + i] = a[k * n + i] * 2; }  // 8, held 7
__global__ void grid_stride_sum(float *o, const float *a, const float *b, int n) { for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) o[i] = a[i] + b[i]; }  // 10, held 9
// ---- more in flight
__global__ void sum4(float *o, const float *a, const float *b, const float *c, const float *d) { int i = blockIdx.x * blockDim.x + threadIdx.x; o[i] = a[i] + b[i] + c[i] + d[i]; }  // 7, held 5: two addresses are made before the first is read
__global__ void vector4(float4 *o, const float4 *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; float4 x = a[i]; o[i] = make_float4(x.w, x.z, x.y, x.x); }  // 10, held 7: a tuple of four for what is read and one for what is written
__global__ void transposed(float *o, const float *a, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x; int y = blockIdx.y * blockDim.y + threadIdx.y; o[x * h + y] = a[y * w + x]; }  // 6, held 4: each product is a multiplication with addition in 64 bits
__global__ void polynomial(float *o, const float *a) { int i = blockIdx.x * blockDim.x + threadIdx.x; float x = a[i]; o[i] = ((x * 3.f + 2.f) * x + 5.f) * x + 7.f; }  // 7, held 4: constants that no instruction can hold are in registers of their own
__global__ void complex_product(float2 *o, const float2 *a, const float2 *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; float2 x = a[i], y = b[i]; o[i] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x); }  // 11, held 7: tuples, and sums in pairs
__global__ void lds_summed(float *o, const float *a, int n) { __shared__ float s[256]; int t = threadIdx.x; s[t] = a[t]; __syncthreads(); float r = 0; for (int k = 0; k < n; k++) r += s[t + k]; o[t] = r; }  // 12, held 3: eight reads are on their way
