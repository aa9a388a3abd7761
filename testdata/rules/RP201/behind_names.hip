// Powers behind macros, functions, members and aliases; and what these names also stand for.
#include <hip/hip_runtime.h>

#define SQR(x) pow((x), 2.0)  // expect: RP201 warning @9 "`SQR` computes `pow` with the exponent 2, which is not simplified"
#define POWER(a, b) pow(a, b)
#define CUBE(x) POWER(x, 3)  // expect: RP201 @9 "`CUBE` computes `pow` with the exponent 3"
#define FAST_POWER powf
#define NORM(x) ((x) * (x))

namespace m = std;

__device__ inline double power(double v, int k) { return pow(v, k); }
__device__ inline double handed_on(double v, int k) { return power(v, k) + 1.0; }
__device__ inline double rising(double v, int k) {
  k += 1;
  return pow(v, k);
}
__device__ inline double root(double v, double k) { return pow(v, k); }

struct Law {
  double scale;
  __device__ double operator()(double v) const { return scale * pow(v, 2); }  // expect: RP201 @65 "`pow(v, 2)` is not simplified"
  __device__ double of(double v, int k) const { return pow(v, k); }
};

__global__ void macros(const double* a, double* o, const float* f) {
  int i = threadIdx.x;
  o[i] = SQR(a[i]) + SQR(a[i + 1]);
  o[i] += CUBE(a[i]);
  o[i] += FAST_POWER(f[i], 2.0f);  // expect: RP201 @11 "computes `powf` with the exponent 2" "20 VGPRs"
}

template <int N>
__global__ void constant(const double* a, double* o) {
  int i = threadIdx.x;
  o[i] = pow(a[i], N);  // expect: RP201 @10 "`pow(a[i], N)` is not simplified"
}

template __global__ void constant<2>(const double*, double*);

__global__ void functions(const double* a, double* o, Law law) {
  int i = threadIdx.x;
  o[i] = power(a[i], 2);  // expect: RP201 warning @10 "`power(a[i], 2)` computes `pow(v, k)` with the exponent 2"
  o[i] += handed_on(a[i], 3);  // expect: RP201 @11 "`handed_on(a[i], 3)` computes `pow(v, k)` with the exponent 3"
  o[i] += law(a[i]) + law.of(a[i], 2);  // expect: RP201 @23 "`law.of(a[i], 2)` computes `pow(v, k)`"
  o[i] += m::pow(a[i], 2);  // expect: RP201 @11 "`m::pow(a[i], 2)`"
}

__global__ void others(const double* a, double* o, int n) {
  int i = threadIdx.x;
  o[i] = NORM(a[i]) + power(a[i], n) + rising(a[i], 2) + root(a[i], 2.5) + handed_on(a[i], n);
}

template <int K>
__device__ inline double raised(double v) { return pow(v, K); }

__global__ void template_arguments(const double* a, double* o) {
  int i = threadIdx.x;
  o[i] = raised<3>(a[i]);  // expect: RP201 warning @10 "`raised<3>(a[i])` computes `pow(v, K)` with the exponent 3"
  o[i] += raised<17>(a[i]);
}

template <int P>
struct Raise {
  __device__ double operator()(double v) const { return pow(v, P); }  // expect: RP201 warning @57 "`pow(v, P)` is not simplified"
};

template <class F>
__global__ void applied(const double* a, double* o, F f) {
  o[threadIdx.x] = f(a[threadIdx.x]);
}

void run(const double* a, double* o) { applied<<<1, 256>>>(a, o, Raise<2>()); }

struct Raised {
  double k;
  __device__ double operator()(double v) const { return pow(v, k); }
};

__global__ void members(const double* a, double* o, double k) {
  int i = threadIdx.x;
  Raised square{2.0}, other{k};
  o[i] = square(a[i]) + other(a[i]);  // expect: RP201 warning @10 "`square(a[i])` computes `pow(v, k)` with the exponent 2"
}
