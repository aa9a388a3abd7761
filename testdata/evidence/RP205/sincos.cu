// targets: gfx90a, gfx1100, sm_90
// known miss: polarf sm_90: the frame of the slow path goes, and the kernel is slower: a hint
// Polar coordinates to Cartesian ones.
// time: polar threads=4194304
__global__ void polar_smell(const double* r, const double* t, double* x, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double p = t[i];
  x[i] = r[i] * cos(p);
  y[i] = r[i] * sin(p);
}

__global__ void polar_repaired(const double* r, const double* t, double* x, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double p = t[i];
  double s, c;
  sincos(p, &s, &c);
  x[i] = r[i] * c;
  y[i] = r[i] * s;
}

// The same in single precision: on NVIDIA the two calls share a slow path with a stack frame.
// time: polarf threads=16777216
__global__ void polarf_smell(const float* r, const float* t, float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float p = t[i];
  x[i] = r[i] * cosf(p);
  y[i] = r[i] * sinf(p);
}

__global__ void polarf_repaired(const float* r, const float* t, float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float p = t[i];
  float s, c;
  sincosf(p, &s, &c);
  x[i] = r[i] * c;
  y[i] = r[i] * s;
}

// A rotation: each of the two is called twice, which compilers do fold.
// time: rotate threads=4194304 size=12582912 n=4194304
__global__ void rotate_smell(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i], y = a[i + n], t = a[i + 2 * n];
  double u = x * cos(t) - y * sin(t), v = x * sin(t) + y * cos(t);
  b[i] = u;
  b[i + n] = v;
}

__global__ void rotate_repaired(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i], y = a[i + n], t = a[i + 2 * n];
  double s, c;
  sincos(t, &s, &c);
  double u = x * c - y * s, v = x * s + y * c;
  b[i] = u;
  b[i + n] = v;
}

// A Fourier sum in single precision.
// time: fourierf threads=1048576 size=2097152 w=0.0001 m=32 n=1048576
__global__ void fourierf_smell(const float* a, float* b, float w, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float re = 0.0f, im = 0.0f;
  for (int j = 0; j < m; ++j) {
    float p = w * j * i;
    re += a[j] * cosf(p);
    im -= a[j] * sinf(p);
  }
  b[i] = re;
  b[i + n] = im;
}

__global__ void fourierf_repaired(const float* a, float* b, float w, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float re = 0.0f, im = 0.0f;
  for (int j = 0; j < m; ++j) {
    float p = w * j * i;
    float s, c;
    sincosf(p, &s, &c);
    re += a[j] * c;
    im -= a[j] * s;
  }
  b[i] = re;
  b[i + n] = im;
}

// Single instructions: nothing to gain.
// time: fast threads=16777216
__global__ void fast_smell(const float* r, const float* t, float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float p = t[i];
  x[i] = r[i] * __cosf(p);
  y[i] = r[i] * __sinf(p);
}

__global__ void fast_repaired(const float* r, const float* t, float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float p = t[i];
  float s, c;
  __sincosf(p, &s, &c);
  x[i] = r[i] * c;
  y[i] = r[i] * s;
}
