// Double arithmetic that is wanted, or that compilers turn back into float.
#include <cuda_runtime.h>

template <class T>
__device__ T half_exp(T x) { return exp(-0.5 * x); }

struct Wave {
  __device__ float exp(double x) const { return x; }
};

__global__ void spectrum(const float* a, const double* d, float* b, double* e, Wave wave, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i];
  b[0 * n + i] = exp(-0.5f * x * x);
  b[1 * n + i] = 1.0 / (1.0f + exp(-x));
  b[2 * n + i] = exp(-0.5 * d[i]);
  b[3 * n + i] = d[i] * exp(-0.5 * x);
  b[4 * n + i] = sin(2.0 * (double)x);
  b[5 * n + i] = fabs(x) * 0.5;
  b[6 * n + i] = expf(-0.5 * x);
  b[7 * n + i] = x * exp(0.5);
  b[8 * n + i] = wave.exp(0.5 * x);
  b[9 * n + i] = x > 0.5 ? x : 0.0;
  e[0 * n + i] = exp(-0.5 * x);
  const double wide = exp(-0.5 * x);
  e[1 * n + i] = wide + half_exp(d[i]);
}

// Constants of integers and doubles are one number when the kernel runs.
__global__ void scaled(const unsigned* bits, float* out) {
  constexpr float unit = float(1.0 / (1ull << 32));
  const float half = 1.0 / (1u << 1);
  out[threadIdx.x] = bits[threadIdx.x] * unit + half;
}
