// targets: gfx90a, gfx1100, sm_90
// time: column threads=1048576 size=34603008 n=262144 width=64
// time: waves threads=262144 size=17825792 n=262144
// time: chain threads=1048576 size=20971520 n=524288
// time: total threads=1048576 size=20971520 n=524288
// time: tile threads=1048576 size=20971520 n=524288
// time: image threads=1048576 size=20971520 n=524288
// time: window threads=1048576 size=20971520 n=524288
// known miss: chain gfx90a: the copies share their loads, and on an H200 the repair is 10 x slower
// known miss: chain gfx1100: the same
// known miss: chain sm_90: the same, measured
// known miss: window gfx90a: 16 x 16 copies take 64 VGPRs and lose no wave, strided or indirect loads 10 to 14
// A loop of unknown length over doubles: clang makes eight copies.
__global__ void column_smell(const double* __restrict__ a, double* __restrict__ b, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll
  for (int k = 0; k < width; ++k) s += a[i + k * n];
  b[i] = s;
}

__global__ void column_repaired(const double* __restrict__ a, double* __restrict__ b, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 4
  for (int k = 0; k < width; ++k) s += a[i + k * n];
  b[i] = s;
}

// 32 copies of exp and sin.
__global__ void waves_smell(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll
  for (int k = 0; k < 32; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);
  b[i] = s;
}

__global__ void waves_repaired(const double* a, double* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 2
  for (int k = 0; k < 32; ++k) s += exp(a[k * n + i]) * sin(a[k * n + i]);
  b[i] = s;
}

// 32 x 32 copies, each of which waits for the one before; those of another j load the same elements of a.
__global__ void chain_smell(const double* __restrict__ a, const double* __restrict__ c, double* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll
  for (int j = 0; j < 32; ++j) {
#pragma unroll
    for (int k = 0; k < 32; ++k) s = s * a[i + k * n] + c[j * n + i];
  }
  b[i] = s;
}

__global__ void chain_repaired(const double* __restrict__ a, const double* __restrict__ c, double* __restrict__ b,
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

// Nothing is loaded twice: a window of an image and its weights.
__global__ void image_smell(const double* __restrict__ a, const double* __restrict__ c, double* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll
  for (int j = 0; j < 32; ++j) {
#pragma unroll
    for (int k = 0; k < 32; ++k) s += a[i + j * n + k] * c[j * 32 + k];
  }
  b[i] = s;
}

__global__ void image_repaired(const double* __restrict__ a, const double* __restrict__ c, double* __restrict__ b,
                               int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 1
  for (int j = 0; j < 32; ++j) {
#pragma unroll 4
    for (int k = 0; k < 32; ++k) s += a[i + j * n + k] * c[j * 32 + k];
  }
  b[i] = s;
}

// The same with one load a copy.
__global__ void window_smell(const double* __restrict__ a, double* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll
  for (int j = 0; j < 32; ++j) {
#pragma unroll
    for (int k = 0; k < 32; ++k) s = s * 0.5 + a[i + j * n + k];
  }
  b[i] = s;
}

__global__ void window_repaired(const double* __restrict__ a, double* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0.0;
#pragma unroll 1
  for (int j = 0; j < 32; ++j) {
#pragma unroll 4
    for (int k = 0; k < 32; ++k) s = s * 0.5 + a[i + j * n + k];
  }
  b[i] = s;
}

// Eight copies of a load: what clang does by itself.
__global__ void total_smell(const float* __restrict__ a, float* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) s += a[i + k * n];
  b[i] = s;
}

__global__ void total_repaired(const float* __restrict__ a, float* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < 8; ++k) s += a[i + k * n];
  b[i] = s;
}

// A tile of the thread's own: here the pragma is what keeps it in registers, and dropping it can only harm.
__global__ void tile_smell(const float* __restrict__ a, float* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) w[k] = a[i + k * n];
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; ++k) s = s * w[k] + w[15 - k];
  b[i] = s;
}

__global__ void tile_repaired(const float* __restrict__ a, float* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[16];
  for (int k = 0; k < 16; ++k) w[k] = a[i + k * n];
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s = s * w[k] + w[15 - k];
  b[i] = s;
}
