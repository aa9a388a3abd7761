// Every way to write a small constant power in HIP, and what it costs there.
#include <hip/hip_runtime.h>
#include <cmath>

#define SQUARE 2
constexpr double kHalf = 0.5;

struct Particle {
  float x, y;
  double mass;
};

__device__ double kernel_weight(double h) {
  return pow(1.0 - h, 3.0);  // expect: RP201 warning @10 "pow(1.0 - h, 3.0)" "the call alone costs about 35 VGPRs on gfx90a"
}

__global__ void powers(const double* a, const float* f, const Particle* p, double* out, float* fout, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double two = 2.0;
  const int count = n - i;
  double d = a[i];
  float x = f[i];
  out[0 * n + i] = pow(d, two);          // expect: RP201 warning @20 "pow(d, two)"
  out[1 * n + i] = pow(d - 1.0, SQUARE); // expect: RP201 @20 "with all"
  out[2 * n + i] = 1.0 / pow(d, 2);      // expect: RP201 @26 "pow(d, 2)"
  out[3 * n + i] = std::pow(a[i], -2);   // expect: RP201 @20 "std::pow"
  out[4 * n + i] = pow(x, 2.0);          // expect: RP201 @20 "promotes to double because of its double exponent"
  fout[0 * n + i] = pow(x, 2);           // expect: RP201 @21 "with all"
  fout[1 * n + i] = powf(d, 2.0f);       // expect: RP201 @21 "powf(d, 2.0f)"
  fout[2 * n + i] = powf(x, 4.0f);       // expect: RP201 @21 "powf(x, 4.0f)"
  fout[3 * n + i] = powf(p[i].x - p[i].y, 2.0f);  // expect: RP201 @21 "powf("
  fout[4 * n + i] = __powf(x, 2.0f) - 2.0f * __powf(x, 3.0f);  // expect: RP201 @21 "(x, 2.0f)"; RP201 @46 "(x, 3.0f)"
  out[5 * n + i] = pow(p[i].mass, kHalf);         // expect: RP201 @20 "kHalf"
  out[6 * n + i] = pow(count, 2);                 // expect: RP201 @20 "pow(count, 2)"
  out[7 * n + i] = kernel_weight(d) + kernel_weight(x);
  for (int k = 0; k < n; ++k) out[8 * n + i] += pow(a[k] - d, 2.0);  // expect: RP201 @49 "in a loop"
}

__global__ void again(const double* a, double* out) { out[threadIdx.x] = kernel_weight(a[threadIdx.x]); }

__global__ void impure(const double* a, double* out, int* next) {
  volatile double v = a[threadIdx.x];            // expect: RP401 @3 "`v`"
  out[0] = pow(v, 2.0);                          // expect: RP201 @12 "pow(v, 2.0)"
  out[1] = pow(a[atomicAdd(next, 1)], 2.0);      // expect: RP201 @12 "atomicAdd"
  out[2] = pow(/* base */ a[1], 2.0);            // expect: RP201 @12 "pow("
}
