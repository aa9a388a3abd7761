// The upper end of the band leaves no block: the launch may fail, and does not "fill 0 slots".
#include <cuda_runtime.h>

// expect-next-line: RP105 hint @17 "a launch of `wide` with 1,024 threads per block may fail on sm_90: limited by registers"
__global__ void wide(double* out, const double* in, int n) {
  double v[20];
  for (int k = 0; k < 20; ++k) v[k] = in[k * n + threadIdx.x];
  double a = 0;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < 20; ++k) a += v[k] * in[j + k];
  }
  for (int k = 0; k < 20; ++k) a = a * v[k] + v[19 - k];
  out[threadIdx.x] = a;
}

void run(double* a) { wide<<<10, 1024>>>(a, a, 3); }
