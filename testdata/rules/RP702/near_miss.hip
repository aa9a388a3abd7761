// A function that stands once, few calls, calls that wait for one another, and a loop that is kept.
#include <hip/hip_runtime.h>

__attribute__((noinline)) __device__ double outside(double x, double k) {
  return sin(x * k) * x + k;
}

__device__ double wave(double x, double k) {
  return sin(x * k) * x + k;
}

__device__ double step(double x, double k) {
  const double y = x * x + k, z = (y - 1.5) / (y + x), w = sqrt(z * z + y);
  return (w * y + z) * (x - w) + k * z;
}

__global__ void __launch_bounds__(256) once(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double s0 = a[0 * n + i];
  const double s1 = a[1 * n + i];
  const double s2 = a[2 * n + i];
  const double s3 = a[3 * n + i];
  const double s4 = a[4 * n + i];
  const double s5 = a[5 * n + i];
  const double s6 = a[6 * n + i];
  const double s7 = a[7 * n + i];
  const double s8 = a[8 * n + i];
  const double s9 = a[9 * n + i];
  const double s10 = a[10 * n + i];
  const double s11 = a[11 * n + i];
  double r = 0.0;
  r += outside(s0, 0.5);
  r += outside(s1, 1.5);
  r += outside(s2, 2.5);
  r += outside(s3, 3.5);
  r += outside(s4, 4.5);
  r += outside(s5, 5.5);
  r += outside(s6, 6.5);
  r += outside(s7, 7.5);
  r += outside(s8, 8.5);
  r += outside(s9, 9.5);
  r += outside(s10, 10.5);
  r += outside(s11, 11.5);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
  b[6 * n + i] = s6 * r;
  b[7 * n + i] = s7 * r;
  b[8 * n + i] = s8 * r;
  b[9 * n + i] = s9 * r;
  b[10 * n + i] = s10 * r;
  b[11 * n + i] = s11 * r;
}

__global__ void __launch_bounds__(256) few(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double s0 = a[0 * n + i];
  const double s1 = a[1 * n + i];
  const double s2 = a[2 * n + i];
  const double s3 = a[3 * n + i];
  double r = 0.0;
  r += wave(s0, 0.5);
  r += wave(s1, 1.5);
  r += wave(s2, 2.5);
  r += wave(s3, 3.5);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
}

__global__ void __launch_bounds__(256) few_steps(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double s0 = a[0 * n + i];
  const double s1 = a[1 * n + i];
  const double s2 = a[2 * n + i];
  const double s3 = a[3 * n + i];
  const double s4 = a[4 * n + i];
  const double s5 = a[5 * n + i];
  double r = 0.0;
  r += step(s0, 0.5);
  r += step(s1, 1.5);
  r += step(s2, 2.5);
  r += step(s3, 3.5);
  r += step(s4, 4.5);
  r += step(s5, 5.5);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
}

__global__ void __launch_bounds__(256) chained(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = a[i];
  r = wave(r, 0.5);
  r = wave(r, 1.5);
  r = wave(r, 2.5);
  r = wave(r, 3.5);
  r = wave(r, 4.5);
  r = wave(r, 5.5);
  r = wave(r, 6.5);
  r = wave(r, 7.5);
  r = wave(r, 8.5);
  r = wave(r, 9.5);
  r = wave(r, 10.5);
  r = wave(r, 11.5);
  b[i] = r;
}

__global__ void __launch_bounds__(256) rolled(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
  #pragma unroll 1
  for (int k = 0; k < 12; ++k) r += wave(a[k * n + i], k);
  b[i] = r;
}
