// targets: gfx90a, gfx1100, sm_90
// One double square for each element.
// time: square threads=16777216
__global__ void square_smell(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = pow(a[i], 2.0);
}

__global__ void square_repaired(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * a[i];
}

// The same in single precision.
// time: single threads=16777216
__global__ void single_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = powf(a[i], 2.0f);
}

__global__ void single_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * a[i];
}

// A double exponent makes the call of a float base FP64.
// time: promoted threads=16777216
__global__ void promoted_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = pow(a[i], 2.0);
}

__global__ void promoted_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * a[i];
}

// An int exponent: nvcc promotes float to double, HIP has an overload.
// time: integer threads=16777216
__global__ void integer_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = pow(a[i], 2);
}

__global__ void integer_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * a[i];
}

// A third power.
// time: cube threads=16777216
__global__ void cube_smell(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = pow(a[i], 3.0);
}

__global__ void cube_repaired(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i];
  b[i] = x * x * x;
}

// A square root written as a power.
// time: root threads=16777216
__global__ void root_smell(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = pow(a[i], 0.5);
}

__global__ void root_repaired(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = sqrt(a[i]);
}

// A pair potential: the exponent is a constant variable, the call is in a loop.
// time: lennard threads=1048576 m=16
__global__ void lennard_smell(const double* a, double* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double six = 6.0;
  double e = 0.0;
  for (int j = 0; j < m; ++j) {
    double r = 1.0 + a[(i + j) % 1024];
    double s = pow(1.0 / r, six);
    e += 4.0 * s * (s - 1.0);
  }
  b[i] = e;
}

__global__ void lennard_repaired(const double* a, double* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double e = 0.0;
  for (int j = 0; j < m; ++j) {
    double r = 1.0 + a[(i + j) % 1024];
    double v = 1.0 / (r * r);
    double s = v * v * v;
    e += 4.0 * s * (s - 1.0);
  }
  b[i] = e;
}

// Eight accumulators around a power.
// time: moments threads=1048576 m=16
__global__ void moments_smell(const double* a, double* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i];
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = x + k;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 8; ++k) s[k] += pow(x + s[k] * 1e-9, 2.0);
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}

__global__ void moments_repaired(const double* a, double* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i];
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = x + k;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 8; ++k) {
      double y = x + s[k] * 1e-9;
      s[k] += y * y;
    }
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}
