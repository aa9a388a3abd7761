// Small constant powers in CUDA: nvcc promotes a float under an int exponent to double.
#include <cuda_runtime.h>

template <int N>
__global__ void powers(const double* a, const float* f, double* out, float* fout, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = f[i];
  out[0 * n + i] = pow(a[i], 2.0);   // expect: RP201 warning @20 "registers as before on sm_90"
  out[1 * n + i] = pow(x, 2);        // expect: RP201 @20 "promotes to double because of its int exponent and is not simplified by nvcc: with all"
  out[2 * n + i] = pow(x, 2.0);      // expect: RP201 @20 "promotes to double because of its double exponent"
  out[3 * n + i] = pow(i, 2);        // expect: RP201 @20 "pow(i, 2)"
  out[4 * n + i] = pow(a[i], N);     // expect: RP201 @20 "pow(a[i], N)"
  fout[0 * n + i] = powf(x, 2.0f);   // expect: RP201 @21 "is not simplified by nvcc"
  fout[1 * n + i] = pow(x, 2.0f) * x;  // expect: RP201 @21 "with all 9 such fixes"
  out[5 * n + i] = pow(x, 0.5);      // expect: RP201 @20 "double exponent"
  out[6 * n + i] = pow(x, -2.0);     // expect: RP201 @20 "double exponent"
  fout[2 * n + i] = x / powf(x + 1.0f, 2.0f) - powf(x, 0.5f);  // expect: RP201 @25; RP201 @48
}

void run(const double* a, const float* f, double* out, float* fout, int n) {
  powers<4><<<n / 256, 256>>>(a, f, out, fout, n);
}

// A logarithm, a product and an exponential of the special function unit: little beside the routine.
__global__ void fast(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __powf(in[i], 2.0f);  // expect: RP201 info @12 "with the fix the estimate is"
}
