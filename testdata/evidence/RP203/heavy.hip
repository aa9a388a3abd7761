// The repair is a wrapper that is not inlined, unless a pair says otherwise: its constants are gone when it returns.
__device__ __attribute__((noinline)) double outlined_pow(double x, double y) { return pow(x, y); }
__device__ __attribute__((noinline)) double outlined_erfc(double x) { return erfc(x); }
__device__ __attribute__((noinline)) double outlined_exp(double x) { return exp(x); }
__device__ __attribute__((noinline)) double outlined_log(double x) { return log(x); }
__device__ __attribute__((noinline)) double outlined_sin(double x) { return sin(x); }

// A power beside 8 accumulators.
__global__ void rates_smell(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = pow(x, p);
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}

__global__ void rates_repaired(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = outlined_pow(x, p);
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}

// The real-space part of an Ewald sum.
__global__ void ewald_smell(const double* a, const double* q, double* b, double alpha, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double px = a[i], py = a[i + n], pz = a[i + 2 * n];
  double fx = 0.0, fy = 0.0, fz = 0.0, e = 0.0;
  for (int j = 0; j < m; ++j) {
    double dx = px - a[j], dy = py - a[j + n], dz = pz - a[j + 2 * n];
    double r2 = dx * dx + dy * dy + dz * dz;
    double r = sqrt(r2), ar = alpha * r;
    double ec = erfc(ar);
    double f = q[j] * (ec / r + 1.1283791670955126 * alpha * exp(-ar * ar)) / r2;
    fx += f * dx;
    fy += f * dy;
    fz += f * dz;
    e += q[j] * ec / r;
  }
  b[i] = fx;
  b[i + n] = fy;
  b[i + 2 * n] = fz;
  b[i + 3 * n] = e;
}

__global__ void ewald_repaired(const double* a, const double* q, double* b, double alpha, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double px = a[i], py = a[i + n], pz = a[i + 2 * n];
  double fx = 0.0, fy = 0.0, fz = 0.0, e = 0.0;
  for (int j = 0; j < m; ++j) {
    double dx = px - a[j], dy = py - a[j + n], dz = pz - a[j + 2 * n];
    double r2 = dx * dx + dy * dy + dz * dz;
    double r = sqrt(r2), ar = alpha * r;
    double ec = outlined_erfc(ar);
    double f = q[j] * (ec / r + 1.1283791670955126 * alpha * outlined_exp(-ar * ar)) / r2;
    fx += f * dx;
    fy += f * dy;
    fz += f * dz;
    e += q[j] * ec / r;
  }
  b[i] = fx;
  b[i + n] = fy;
  b[i + 2 * n] = fz;
  b[i + 3 * n] = e;
}

// An exponential beside 24 accumulators.
__global__ void crowded_smell(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[24];
  for (int k = 0; k < 24; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = exp(x);
    for (int k = 0; k < 24; ++k) s[k] += y * s[(k + 1) % 24];
  }
  double t = 0.0;
  for (int k = 0; k < 24; ++k) t += s[k];
  b[i] = t;
}

__global__ void crowded_repaired(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[24];
  for (int k = 0; k < 24; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = outlined_exp(x);
    for (int k = 0; k < 24; ++k) s[k] += y * s[(k + 1) % 24];
  }
  double t = 0.0;
  for (int k = 0; k < 24; ++k) t += s[k];
  b[i] = t;
}

// Two routines: their constants are held at the same time.
__global__ void both_smell(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = log(x) * sin(p * x);
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}

__global__ void both_repaired(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = outlined_log(x) * outlined_sin(p * x);
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}

// The call does not depend on the loop: clang moves it out by itself.
__global__ void hoisted_smell(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = pow(1.0 + p, 0.35) * x;
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}

__global__ void hoisted_repaired(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  double scale = pow(1.0 + p, 0.35);
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = scale * x;
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}

// In single precision: the repair where float is precise enough.
__global__ void single_smell(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = pow(x, p);
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}

__global__ void single_repaired(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = powf((float)x, (float)p);
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = t;
}

// An exponential in a loop that holds nothing else: inside the first step.
__global__ void alone_smell(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
  for (int j = 0; j < m; ++j) s += exp(a[j] * a[i]);
  b[i] = s;
}

__global__ void alone_repaired(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
  for (int j = 0; j < m; ++j) s += outlined_exp(a[j] * a[i]);
  b[i] = s;
}

// Outside of the loop.
__global__ void once_smell(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = x;
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = exp(t);
}

__global__ void once_repaired(const double* a, double* b, double p, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int k = 0; k < 8; ++k) s[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
    double x = a[j];
    double y = x;
    for (int k = 0; k < 8; ++k) s[k] += y * s[(k + 1) % 8];
  }
  double t = 0.0;
  for (int k = 0; k < 8; ++k) t += s[k];
  b[i] = outlined_exp(t);
}
