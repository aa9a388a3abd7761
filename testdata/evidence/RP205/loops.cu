// targets: gfx90a, gfx1100, sm_80, sm_90, sm_120
// A Fourier sum in double precision: gfx90a takes more registers after the repair. nvcc copies the loop more often with one call in it: more code.
// time: series threads=1048576 size=2097152 w=0.0001 m=32 n=1048576
__global__ void series_smell(const double* a, double* b, double w, int m, int n) {
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

__global__ void series_repaired(const double* a, double* b, double w, int m, int n) {
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

// An angle that moves on by its own sine and cosine, in double precision: on sm_80 a step is lost.
// time: orbit threads=1048576 h=0.001 m=32
// timed elsewhere: orbit sm_80: one reduction of the angle in place of two, as on the H200
// timed elsewhere: orbit sm_120: one reduction of the angle in place of two, as on the H200, and FP64 is slower
__global__ void orbit_smell(double* b, double h, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double t = b[i], r = 1.0;
  for (int j = 0; j < m; ++j) {
    double s = sin(t), c = cos(t);
    r += h * (r * r + c * c) / (s * s + 2.0);
    t += h * r * s * c;
  }
  b[i] = t + r;
}

__global__ void orbit_repaired(double* b, double h, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double t = b[i], r = 1.0;
  for (int j = 0; j < m; ++j) {
    double s, c;
    sincos(t, &s, &c);
    r += h * (r * r + c * c) / (s * s + 2.0);
    t += h * r * s * c;
  }
  b[i] = t + r;
}

// The exponential of complex numbers, in double precision.
// time: expi threads=1048576 size=1052672 m=32
// timed elsewhere: expi sm_80: one reduction of the angle in place of two, as on the H200
// timed elsewhere: expi sm_120: one reduction of the angle in place of two, as on the H200, and FP64 is slower
__global__ void expi_smell(const double2* a, double2* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double re = 0.0, im = 0.0;
  for (int j = 0; j < m; ++j) {
    double2 z = a[j * 64 + i];
    double e = exp(z.x);
    re += e * cos(z.y);
    im += e * sin(z.y);
  }
  b[i].x = re;
  b[i].y = im;
}

__global__ void expi_repaired(const double2* a, double2* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double re = 0.0, im = 0.0;
  for (int j = 0; j < m; ++j) {
    double2 z = a[j * 64 + i];
    double e = exp(z.x);
    double s, c;
    sincos(z.y, &s, &c);
    re += e * c;
    im += e * s;
  }
  b[i].x = re;
  b[i].y = im;
}

// Two angles in single precision.
// time: bothf threads=1048576 w=0.0001 m=32
__global__ void bothf_smell(const float* a, float* b, float w, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f, rest = 0.0f;
  for (int j = 0; j < m; ++j) {
    float p = w * j * i, q = a[j] + w;
    sum += cosf(p) * cosf(q);
    rest -= sinf(q) * sinf(p);
  }
  b[i] = sum + rest;
}

__global__ void bothf_repaired(const float* a, float* b, float w, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f, rest = 0.0f;
  for (int j = 0; j < m; ++j) {
    float p = w * j * i, q = a[j] + w;
    float s, c, t, d;
    sincosf(p, &s, &c);
    sincosf(q, &t, &d);
    sum += c * d;
    rest -= t * s;
  }
  b[i] = sum + rest;
}

// Single precision beside a tangent that keeps the slow path.
// time: besidef threads=1048576 size=2097152 w=0.0001 m=32 n=1048576
__global__ void besidef_smell(const float* a, float* b, float w, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float re = 0.0f, im = 0.0f, q = tanf(a[i]);
  for (int j = 0; j < m; ++j) {
    float p = w * j * i;
    re += a[j] * cosf(p);
    im -= a[j] * sinf(p) * q;
  }
  b[i] = re;
  b[i + n] = im;
}

__global__ void besidef_repaired(const float* a, float* b, float w, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float re = 0.0f, im = 0.0f, q = tanf(a[i]);
  for (int j = 0; j < m; ++j) {
    float p = w * j * i;
    float s, c;
    sincosf(p, &s, &c);
    re += a[j] * c;
    im -= a[j] * s * q;
  }
  b[i] = re;
  b[i + n] = im;
}
