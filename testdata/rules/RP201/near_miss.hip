// Powers that are no finding: another exponent, run-time or folded values, host code, another function of that name.
#include <hip/hip_runtime.h>
#include <cmath>

struct Dual {
  double value, slope;
};

__device__ Dual pow(Dual x, int n) { return Dual{x.value * n, x.slope}; }

__device__ double power(double x, double n) { return pow(x, n); }

struct Field {
  double scale;
  __device__ double pow(double x, double n) const { return x * n * scale; }
};

__global__ void powers(const double* a, double* out, Field field, double gamma, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double exponent = 2.0;
  if (i > 5) exponent = gamma;
  out[0 * n + i] = ::pow(a[i], gamma);
  out[1 * n + i] = ::pow(a[i], 2.5) + ::pow(a[i], 17.0) + ::pow(a[i], 1.0 / 3.0);
  out[2 * n + i] = ::pow(a[i], exponent);
  out[3 * n + i] = ::pow(2.0, a[i]);
  out[4 * n + i] = ::pow(3.0, 2.0);
  out[5 * n + i] = power(a[i], gamma);
  out[6 * n + i] = field.pow(a[i], 2.0);
  out[7 * n + i] = pow(Dual{a[i], 1.0}, 2).slope;
  out[8 * n + i] = __builtin_powi(a[i], 3);
}

double on_the_host(double x) { return std::pow(x, 2.0); }
