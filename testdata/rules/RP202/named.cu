// Constants and macros of the file that make a call double.
#include <cuda_runtime.h>

#define HALF(x) (0.5 * (x))
#define TWICE(x) (2.0f * (x))
const double tau = 6.283185307;
constexpr double epsilon = 1e-6;
const float small = 1e-6f;

__global__ void named(const float* a, float* out) {
  int i = threadIdx.x;
  out[i] = log(HALF(a[i]));  // expect: RP202 @12 "because of `HALF(a[i])`"
  out[i] = cos(tau * a[i]);  // expect: RP202 @12 "because of `tau`"
  out[i] = exp(-a[i] / epsilon);  // expect: RP202 @12 "because of `epsilon`"
  out[i] = exp(TWICE(a[i]));
  out[i] = exp(small * a[i]);
}
