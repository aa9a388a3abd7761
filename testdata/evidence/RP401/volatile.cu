// targets: gfx90a, gfx1100, sm_90
// time: window threads=1048576 size=34603008 stride=1048576
// time: carried threads=1048576 size=16777216 m=16 n=1048576
// time: sums threads=1048576 size=33554432 m=4 n=1048576
// time: moments threads=1048576 size=33554432 m=32 n=1048576
// time: exact threads=1048576 size=33554432 m=32 n=1048576
// time: counts threads=1048576 size=33554432 m=4 n=1048576
// time: filled threads=1048576 size=33554432 m=4 n=1048576
// time: once threads=4194304
// time: pointer threads=4194304
// A window of 32 values at constant indices, filled from memory: clang and IGC keep it in memory, nvcc folds it.
__global__ void window_smell(const float* a, float* b, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float w[32];
  for (int j = 0; j < 32; ++j) w[j] = a[i + j * stride];
  float s = 0.0f;
  for (int j = 0; j < 32; ++j) s += w[j] * w[31 - j];
  b[i] = s;
}

__global__ void window_repaired(const float* a, float* b, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[32];
  for (int j = 0; j < 32; ++j) w[j] = a[i + j * stride];
  float s = 0.0f;
  for (int j = 0; j < 32; ++j) s += w[j] * w[31 - j];
  b[i] = s;
}

// A sum that a loop carries.
__global__ void carried_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float s = 0.0f;
  for (int j = 0; j < m; ++j) s = s + a[j * n + i];
  b[i] = s;
}

__global__ void carried_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int j = 0; j < m; ++j) s = s + a[j * n + i];
  b[i] = s;
}

// Read once: nvcc folds it, clang does not.
__global__ void once_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float x = a[i];
  b[i] = x * 2.0f;
}

__global__ void once_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = x * 2.0f;
}

// A pointer to volatile memory costs nothing and is not what the rule speaks about.
__global__ void pointer_smell(const volatile float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * 2.0f;
}

__global__ void pointer_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * 2.0f;
}

// Sums that begin with a constant: the one form of which nvcc leaves floats in local memory.
__global__ void sums_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float h[8];
  for (int j = 0; j < 8; ++j) h[j] = 0.0f;
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < 8; ++j) h[j] = h[j] + a[(k * 8 + j) * n + i];
  }
  float s = 0.0f;
  for (int j = 0; j < 8; ++j) s += h[j] * h[j];
  b[i] = s;
}

__global__ void sums_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[8];
  for (int j = 0; j < 8; ++j) h[j] = 0.0f;
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < 8; ++j) h[j] = h[j] + a[(k * 8 + j) * n + i];
  }
  float s = 0.0f;
  for (int j = 0; j < 8; ++j) s += h[j] * h[j];
  b[i] = s;
}

// Four scalars of that kind.
__global__ void moments_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (int k = 0; k < m; ++k) {
    const float x = a[k * n + i];
    s0 = s0 + x;
    s1 = s1 + x * x;
    s2 = s2 + x * x * x;
    s3 = s3 + x * x * x * x;
  }
  b[i] = s0 * s1 + s2 * s3;
}

__global__ void moments_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (int k = 0; k < m; ++k) {
    const float x = a[k * n + i];
    s0 = s0 + x;
    s1 = s1 + x * x;
    s2 = s2 + x * x * x;
    s3 = s3 + x * x * x * x;
  }
  b[i] = s0 * s1 + s2 * s3;
}

// One double of that kind is enough.
__global__ void exact_smell(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile double s = 0.0;
  for (int k = 0; k < m; ++k) s = s + a[k * n + i];
  b[i] = s;
}

__global__ void exact_repaired(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
  for (int k = 0; k < m; ++k) s = s + a[k * n + i];
  b[i] = s;
}

// Integers: folded by nvcc.
__global__ void counts_smell(const int* a, int* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int h[8];
  for (int j = 0; j < 8; ++j) h[j] = 0;
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < 8; ++j) h[j] = h[j] + (a[(k * 8 + j) * n + i] >> j);
  }
  int s = 0;
  for (int j = 0; j < 8; ++j) s += h[j] * h[j];
  b[i] = s;
}

__global__ void counts_repaired(const int* a, int* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int h[8];
  for (int j = 0; j < 8; ++j) h[j] = 0;
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < 8; ++j) h[j] = h[j] + (a[(k * 8 + j) * n + i] >> j);
  }
  int s = 0;
  for (int j = 0; j < 8; ++j) s += h[j] * h[j];
  b[i] = s;
}

// Sums that begin with values from memory: folded by nvcc.
__global__ void filled_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float h[8];
  for (int j = 0; j < 8; ++j) h[j] = b[j * n + i];
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < 8; ++j) h[j] = h[j] + a[(k * 8 + j) * n + i];
  }
  float s = 0.0f;
  for (int j = 0; j < 8; ++j) s += h[j] * h[j];
  b[i] = s;
}

__global__ void filled_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[8];
  for (int j = 0; j < 8; ++j) h[j] = b[j * n + i];
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < 8; ++j) h[j] = h[j] + a[(k * 8 + j) * n + i];
  }
  float s = 0.0f;
  for (int j = 0; j < 8; ++j) s += h[j] * h[j];
  b[i] = s;
}
