// One file for AMD alone: what nvcc makes of these differs by two registers, and their time was not taken.
// Both in one expression.
__global__ void product_smell(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = sin(a[i]) * cos(a[i]);
}

__global__ void product_repaired(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s, c;
  sincos(a[i], &s, &c);
  b[i] = s * c;
}

// A Fourier sum: here gfx90a takes more registers after the repair.
__global__ void fourier_smell(const double* a, double* b, double w, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double re = 0.0, im = 0.0;
  for (int j = 0; j < m; ++j) {
    double p = w * j * i;
    re += a[j] * cos(p);
    im -= a[j] * sin(p);
  }
  b[i] = re;
  b[i + n] = im;
}

__global__ void fourier_repaired(const double* a, double* b, double w, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double re = 0.0, im = 0.0;
  for (int j = 0; j < m; ++j) {
    double p = w * j * i;
    double s, c;
    sincos(p, &s, &c);
    re += a[j] * c;
    im -= a[j] * s;
  }
  b[i] = re;
  b[i + n] = im;
}
