// Volatile variables that belong to one thread. Integers get a safe fix, floats an unsafe one, escaping ones none.
// nvcc keeps only floats to which a constant is stored and which a rolled loop uses: from four, or one double.
#include <cuda_runtime.h>

__device__ void publish(volatile int* where) { *where = *where + 1; }

__global__ void tally(const int* a, const float* f, int* out, float* fout, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int total = 0;    // expect: RP401 hint @3 "`total` (int, 4 bytes)" "nvcc drops the word by itself"
  // expect-next-line: RP403 warning @16 "`bins` of 32 x int"
  volatile int bins[32];     // expect: RP401 hint @3 "array `bins` (int, 128 bytes)"
  float volatile sum = 0.0f; // expect: RP401 hint @9 "`sum` (float, 4 bytes)"
  volatile int seen = 0;     // expect: RP401 hint @3 "`seen`"
  for (int k = 0; k < 32; ++k) bins[k] = 0;
  for (int j = 0; j < m; ++j) {
    total = total + a[j * n + i];
    bins[a[j * n + i] & 31] = j;
    sum = sum + f[j * n + i];
    seen = j;
  }
  publish(&seen);
  out[i] = total + bins[m & 31] + seen;
  fout[i] = sum;
}

__global__ void moments(const float* a, const double* d, float* out, double* dout, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float h[4];        // expect: RP401 warning @3 "array `h` (float, 16 bytes)" "local memory on sm_90"
  volatile double sum = 0.0;  // expect: RP401 warning @3 "`sum` (double, 8 bytes)"
  volatile float read[4];     // expect: RP401 hint @3 "`read`"
  for (int k = 0; k < 4; ++k) h[k] = 0.0f;
  for (int k = 0; k < 4; ++k) read[k] = a[k];
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 4; ++k) h[k] = h[k] + a[j * n + i + k];
    for (int k = 0; k < 4; ++k) read[k] = read[k] + a[j * n + i + k];
    sum = sum + d[j * n + i];
  }
  out[i] = h[0] * h[1] + h[2] * h[3] + read[0] * read[1] + read[2] * read[3];
  dout[i] = sum;
}
