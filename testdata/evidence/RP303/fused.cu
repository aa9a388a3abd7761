// targets: gfx90a, gfx1100, sm_90
// Three recurrences over three arrays, each with a result of its own.
// time: apart threads=262144 size=8388608 m=16 n=262144
__global__ void apart_smell(const float* a0, const float* a1, const float* a2, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0f;
  float s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0f;
  float s2[16];
  for (int k = 0; k < 16; ++k) s2[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x0 = a0[j * n + i];
    float x1 = a1[j * n + i];
    float x2 = a2[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 16] + x0;
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 16] + x1;
    for (int k = 0; k < 16; ++k) s2[k] = s2[k] * x2 + s2[(k + 1) % 16] + x2;
  }
  float r0 = 0.0f;
  for (int k = 0; k < 16; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  float r1 = 0.0f;
  for (int k = 0; k < 16; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
  float r2 = 0.0f;
  for (int k = 0; k < 16; ++k) r2 += s2[k];
  b[2 * n + i] = r2;
}

__global__ void apart_repaired(const float* a0, const float* a1, const float* a2, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x0 = a0[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 16] + x0;
  }
  float r0 = 0.0f;
  for (int k = 0; k < 16; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  float s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x1 = a1[j * n + i];
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 16] + x1;
  }
  float r1 = 0.0f;
  for (int k = 0; k < 16; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
  float s2[16];
  for (int k = 0; k < 16; ++k) s2[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x2 = a2[j * n + i];
    for (int k = 0; k < 16; ++k) s2[k] = s2[k] * x2 + s2[(k + 1) % 16] + x2;
  }
  float r2 = 0.0f;
  for (int k = 0; k < 16; ++k) r2 += s2[k];
  b[2 * n + i] = r2;
}

// Two of doubles.
// time: doubles threads=262144 size=8388608 m=16 n=262144
__global__ void doubles_smell(const double* a0, const double* a1, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0;
  double s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x0 = a0[j * n + i];
    double x1 = a1[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 16] + x0;
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 16] + x1;
  }
  double r0 = 0.0;
  for (int k = 0; k < 16; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  double r1 = 0.0;
  for (int k = 0; k < 16; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
}

__global__ void doubles_repaired(const double* a0, const double* a1, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x0 = a0[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 16] + x0;
  }
  double r0 = 0.0;
  for (int k = 0; k < 16; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  double s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x1 = a1[j * n + i];
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 16] + x1;
  }
  double r1 = 0.0;
  for (int k = 0; k < 16; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
}

// Two that spill together on gfx90a.
// time: wide threads=262144 size=8388608 m=16 n=262144
__global__ void wide_smell(const double* a0, const double* a1, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0[24];
  for (int k = 0; k < 24; ++k) s0[k] = 0.0;
  double s1[24];
  for (int k = 0; k < 24; ++k) s1[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x0 = a0[j * n + i];
    double x1 = a1[j * n + i];
    for (int k = 0; k < 24; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 24] + x0;
    for (int k = 0; k < 24; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 24] + x1;
  }
  double r0 = 0.0;
  for (int k = 0; k < 24; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  double r1 = 0.0;
  for (int k = 0; k < 24; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
}

__global__ void wide_repaired(const double* a0, const double* a1, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0[24];
  for (int k = 0; k < 24; ++k) s0[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x0 = a0[j * n + i];
    for (int k = 0; k < 24; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 24] + x0;
  }
  double r0 = 0.0;
  for (int k = 0; k < 24; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  double s1[24];
  for (int k = 0; k < 24; ++k) s1[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x1 = a1[j * n + i];
    for (int k = 0; k < 24; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 24] + x1;
  }
  double r1 = 0.0;
  for (int k = 0; k < 24; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
}

// Both read the same array: each of the two loops reads it again.
// time: shared threads=262144 size=8388608 m=16 n=262144
__global__ void shared_smell(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0;
  double s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x + s0[(k + 1) % 16] + x;
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x + s1[(k + 1) % 16] + x;
  }
  double r0 = 0.0;
  for (int k = 0; k < 16; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  double r1 = 0.0;
  for (int k = 0; k < 16; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
}

__global__ void shared_repaired(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x + s0[(k + 1) % 16] + x;
  }
  double r0 = 0.0;
  for (int k = 0; k < 16; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  double s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x + s1[(k + 1) % 16] + x;
  }
  double r1 = 0.0;
  for (int k = 0; k < 16; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
}

// One result of both: clang moves the sums behind the last loop and holds all of them again.
// time: joined threads=262144 size=8388608 m=16 n=262144
__global__ void joined_smell(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
  double s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0;
  double s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x + s0[(k + 1) % 16] + x;
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x + s1[(k + 1) % 16] + x;
  }
  for (int k = 0; k < 16; ++k) r += s0[k];
  for (int k = 0; k < 16; ++k) r += s1[k];
  b[i] = r;
}

__global__ void joined_repaired(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
  double s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x + s0[(k + 1) % 16] + x;
  }
  for (int k = 0; k < 16; ++k) r += s0[k];
  double s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x + s1[(k + 1) % 16] + x;
  }
  for (int k = 0; k < 16; ++k) r += s1[k];
  b[i] = r;
}

// Six registers each are not worth a loop.
// time: small threads=262144 size=8388608 m=16 n=262144
__global__ void small_smell(const double* a0, const double* a1, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0[3];
  for (int k = 0; k < 3; ++k) s0[k] = 0.0;
  double s1[3];
  for (int k = 0; k < 3; ++k) s1[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x0 = a0[j * n + i];
    double x1 = a1[j * n + i];
    for (int k = 0; k < 3; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 3] + x0;
    for (int k = 0; k < 3; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 3] + x1;
  }
  double r0 = 0.0;
  for (int k = 0; k < 3; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  double r1 = 0.0;
  for (int k = 0; k < 3; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
}

__global__ void small_repaired(const double* a0, const double* a1, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0[3];
  for (int k = 0; k < 3; ++k) s0[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x0 = a0[j * n + i];
    for (int k = 0; k < 3; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 3] + x0;
  }
  double r0 = 0.0;
  for (int k = 0; k < 3; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  double s1[3];
  for (int k = 0; k < 3; ++k) s1[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x1 = a1[j * n + i];
    for (int k = 0; k < 3; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 3] + x1;
  }
  double r1 = 0.0;
  for (int k = 0; k < 3; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
}
