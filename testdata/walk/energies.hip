#include <hip/hip_runtime.h>

#define LANES 4

__global__ void energies(double* out, const double* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int k = 0; k < LANES; ++k) sum += pow(in[i * LANES + k], 2.0);
  out[i] = sum;
}

void run(double* out, const double* in, int n) { energies<<<(n + 255) / 256, 256>>>(out, in, n); }
