// targets: gfx90a, gfx1100
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) bins(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[32] = {};  // expect: RP403 warning @9 "private array `h` of 32 x float (128 bytes per thread) goes to scratch memory on gfx90a and gfx1100" "`h[a[j * n + i] & 31]` is not a constant: it is read from memory" "clang keeps at most 16 elements in registers"
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1.0f;
  for (int k = 0; k < 32; ++k) b[k * n + i] = h[k];
}

// Two arrays and one loop: one finding.
__global__ void __launch_bounds__(256) degree(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c[24];  // expect: RP403 warning "the loop over `k` is not unrolled, because its bound `n` is known only at run time" "`d` goes with it"
  float d[20];
  for (int k = 0; k < n; ++k) {
    c[k] = a[i] * k;
    d[k] = a[i] - k;
  }
  float s = 0.0f;
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < n; ++k) s = s * c[k] + d[k];
  b[i] = s;
}

// A pragma keeps the loop rolled.
__global__ void __launch_bounds__(256) rolled(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[20];  // expect: RP403 warning "the loop over `k` is not unrolled (`#pragma unroll 1`)"
  for (int k = 0; k < 20; ++k) v[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
#pragma unroll 1
    for (int k = 0; k < 20; ++k) v[k] = v[k] * 0.5f + v[19 - k];
  }
  b[i] = v[0] + v[7];
}

// A stack, in a device function: said once for both kernels.
__device__ int deepest(const int* a, int i) {
  int stack[40];  // expect: RP403 warning "`stack[--top]` is not a constant: `top` changes from one iteration to the next of a loop that stays one"
  int top = 0, most = 0;
  stack[top++] = i;
  while (top > 0) {
    int node = stack[--top];
    if (a[node] > 0) stack[top++] = a[node];
    if (a[node] > 9) stack[top++] = a[node + 1];
    most = top > most ? top : most;
  }
  return most;
}

__global__ void __launch_bounds__(256) depth(const int* a, int* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = deepest(a, i);
}

__global__ void __launch_bounds__(256) twice(const int* a, int* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2 * deepest(a, i);
}

// Copied to scratch once, behind the loops.
__global__ void __launch_bounds__(256) cold(const float* a, float* b, int m, int pick) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[24];  // expect: RP403 info "`pick` is an argument of `cold`; it is copied there once, outside of the loops that use it most"
  for (int k = 0; k < 24; ++k) v[k] = a[i] * k;
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < 24; ++k) v[k] = v[k] * 0.5f + v[23 - k];
  b[i] = v[pick];
}

struct Counts {
  float bin[24];
  int last;
};

__global__ void __launch_bounds__(256) member(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Counts c;  // expect: RP403 warning @10 "private `c` (Counts, 100 bytes per thread) goes to scratch memory" "`c.bin[c.last % 24]` is indexed at run time"
  for (int k = 0; k < 24; ++k) c.bin[k] = 0.0f;
  c.last = a[i];
  for (int j = 0; j < m; ++j) {
    c.bin[c.last % 24] += 1.0f;
    c.last = (c.last * 5 + 3) & 1023;
  }
  float s = 0.0f;
  for (int k = 0; k < 24; ++k) s += c.bin[k] * k;
  b[i] = s;
}

// LDS for 1,024 threads and blocks of 64.
__global__ void pairs(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[2][4] = {};  // expect: RP403 warning "is moved to LDS on gfx90a and gfx1100" "32 x 1,024 bytes of LDS for the threads of the default bound"
  int q = a[i];
  for (int j = 0; j < m; ++j) {
    v[q & 1][(q >> 1) & 3] += 1.0f;
    q = q * 5 + 3;
  }
  b[i] = v[0][0] + v[1][3];
}

void run(const int* a, float* b, int m, int n) { pairs<<<n / 64, 64>>>(a, b, m); }
