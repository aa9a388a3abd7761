// targets: gfx90a, gfx1100, sm_90
// time: column_16 threads=1048576 size=34603008 n=262144 width=64
// time: product threads=1048576 size=34603008 n=262144 width=64
// time: waves_16 threads=262144 size=17825792 n=262144
// time: square threads=1048576 size=20971520 n=524288
// time: rows threads=1048576 size=20971520 n=16384
// known miss: square gfx90a: the copies share their loads, and on an H200 the repair is 10 x slower
// known miss: square gfx1100: the same
// known miss: square sm_90: the same, measured
// 16 copies of one load of a double.
__global__ void column_16_smell(const double* __restrict__ a, double* __restrict__ b, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 16
  for (int k = 0; k < width; ++k) s += a[i + k * n];
  b[i] = s;
}

__global__ void column_16_repaired(const double* __restrict__ a, double* __restrict__ b, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 4
  for (int k = 0; k < width; ++k) s += a[i + k * n];
  b[i] = s;
}

// 32 copies of two.
__global__ void product_smell(const double* __restrict__ a, const double* __restrict__ c, double* __restrict__ b,
                              int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 32
  for (int k = 0; k < width; ++k) s += a[i + k * n] * c[i + k * width];
  b[i] = s;
}

__global__ void product_repaired(const double* __restrict__ a, const double* __restrict__ c, double* __restrict__ b,
                                 int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 4
  for (int k = 0; k < width; ++k) s += a[i + k * n] * c[i + k * width];
  b[i] = s;
}

// 16 copies of exp and sin.
__global__ void waves_16_smell(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 16
  for (int k = 0; k < 64; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);
  b[i] = s;
}

__global__ void waves_16_repaired(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 2
  for (int k = 0; k < 64; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);
  b[i] = s;
}

// 32 x 32 copies of a chain; those of another j load the same elements of a.
__global__ void square_smell(const double* __restrict__ a, const double* __restrict__ c, double* __restrict__ b,
                             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 32
  for (int j = 0; j < 32; ++j) {
#pragma unroll 32
    for (int k = 0; k < 32; ++k) s = s * a[i + k * n] + c[j * n + i];
  }
  b[i] = s;
}

__global__ void square_repaired(const double* __restrict__ a, const double* __restrict__ c, double* __restrict__ b,
                                int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 1
  for (int j = 0; j < 32; ++j) {
#pragma unroll 4
    for (int k = 0; k < 32; ++k) s = s * a[i + k * n] + c[j * n + i];
  }
  b[i] = s;
}

// The same, with elements of its own for each copy.
__global__ void rows_smell(const double* __restrict__ a, const double* __restrict__ c, double* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 32
  for (int j = 0; j < 32; ++j) {
#pragma unroll 32
    for (int k = 0; k < 32; ++k) s = s * a[i + (j * 32 + k) * n] + c[i + (j * 32 + k) * n];
  }
  b[i] = s;
}

__global__ void rows_repaired(const double* __restrict__ a, const double* __restrict__ c, double* __restrict__ b,
                              int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 1
  for (int j = 0; j < 32; ++j) {
#pragma unroll 4
    for (int k = 0; k < 32; ++k) s = s * a[i + (j * 32 + k) * n] + c[i + (j * 32 + k) * n];
  }
  b[i] = s;
}

// A factor of 8 inside the headroom.
__global__ void modest_smell(const float* __restrict__ a, float* __restrict__ b, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
#pragma unroll 8
  for (int k = 0; k < width; ++k) s += a[i + k * n];
  b[i] = s;
}

__global__ void modest_repaired(const float* __restrict__ a, float* __restrict__ b, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
#pragma unroll 4
  for (int k = 0; k < width; ++k) s += a[i + k * n];
  b[i] = s;
}
