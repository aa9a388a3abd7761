// Math functions on floats that are double because of one literal, constant or int exponent.
#include <cuda_runtime.h>
#include <math.h>

#define TWO_PI 6.283185307179586

__device__ float decay(float t) {
  constexpr double scale = 0.1;
  return exp(-t * scale);  // expect: RP202 warning @10 "because of `scale`"
}

__global__ void spectrum(const float* a, float* b, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i];
  b[0 * n + i] = exp(-0.5 * x * x);  // expect: RP202 warning @18 "`exp(-0.5 * x * x)` takes floats, is computed in double because of `-0.5`" "with all 6 such fixes the estimate is 32 registers as before on sm_90"
  b[1 * n + i] = 2.0 * sin(2.0 * M_PI * x);  // expect: RP202 warning @24 "`2.0` and `M_PI`"
  b[2 * n + i] = x + std::log(x + 1e-3f * 2.0);  // expect: RP202 @22 "with all 6 such fixes"
  b[3 * n + i] = cos(TWO_PI * x * i);  // expect: RP202 @18 "`TWO_PI`"
  b[4 * n + i] = pow(x, m);  // expect: RP202 warning @18 "because of the int exponent `m`" "13 registers"
  b[5 * n + i] = pow(x, 1.5);  // expect: RP202 @18 "`1.5`"
  b[6 * n + i] = sqrt(1.0 + x);  // expect: RP202 info @18 "with all 6 such fixes"
  b[7 * n + i] = (float)tanh(0.5 * fabs(x - 1.0)) * decay(x);  // expect: RP202 @25 "`0.5` and `1.0`"
  float sum = 0.0f;
  for (int j = 0; j < m; ++j) sum += exp(-0.25 * a[j] * x);  // expect: RP202 @38 "in a loop takes floats"
  b[8 * n + i] = sum;
}
