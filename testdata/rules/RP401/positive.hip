// Volatile variables that belong to one thread. Integers get a safe fix, floats an unsafe one, escaping ones none.
#include <hip/hip_runtime.h>

__device__ void publish(volatile int* where) { *where = *where + 1; }

__global__ void tally(const int* a, const float* f, int* out, float* fout, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int total = 0;    // expect: RP401 warning @3 "`total` (int, 4 bytes)"
  volatile int bins[32];     // expect: RP401 warning @3 "array `bins` (int, 128 bytes)"
  float volatile sum = 0.0f; // expect: RP401 warning @9 "`sum` (float, 4 bytes)"
  volatile int seen = 0;     // expect: RP401 warning @3 "`seen`"
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
