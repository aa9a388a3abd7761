// targets: gfx90a, sm_90
// launch: block=256
// 16 floats that a loop only carries through, under bounds that leave too few registers: 64 on sm_90 (4 blocks of 256),
// 128 on gfx90a (4 waves per SIMD).
// known miss: narrow sm_90: a hint there: the spills go, but both forms take as long.
// known miss: wide sm_90: a hint there: a fifth of the spills goes, but both forms take as long.
// time: narrow threads=131072 size=13631488 m=64 n=131072
__global__ void __launch_bounds__(256, 4) narrow_smell(const float* a, const float* c, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e[16];
  for (int k = 0; k < 16; ++k) e[k] = a[k * n + i] * c[k];
  float s[48];
  for (int k = 0; k < 48; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
  }
  float r = 0.0f;
  for (int k = 0; k < 48; ++k) r += s[k];
  for (int k = 0; k < 16; ++k) b[k * n + i] = e[k] * r;
}

__global__ void __launch_bounds__(256, 4) narrow_repaired(const float* a, const float* c, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float e[16][256];
  for (int k = 0; k < 16; ++k) e[k][threadIdx.x] = a[k * n + i] * c[k];
  __syncthreads();
  float s[48];
  for (int k = 0; k < 48; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 48; ++k) s[k] = s[k] * x + s[(k + 1) % 48];
  }
  float r = 0.0f;
  for (int k = 0; k < 48; ++k) r += s[k];
  for (int k = 0; k < 16; ++k) b[k * n + i] = e[k][threadIdx.x] * r;
}

// time: wide threads=131072 size=13631488 m=64 n=131072
__global__ void __launch_bounds__(256, 4) wide_smell(const float* a, const float* c, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e[16];
  for (int k = 0; k < 16; ++k) e[k] = a[k * n + i] * c[k];
  float s[104];
  for (int k = 0; k < 104; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 104; ++k) s[k] = s[k] * x + s[(k + 1) % 104];
  }
  float r = 0.0f;
  for (int k = 0; k < 104; ++k) r += s[k];
  for (int k = 0; k < 16; ++k) b[k * n + i] = e[k] * r;
}

__global__ void __launch_bounds__(256, 4) wide_repaired(const float* a, const float* c, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float e[16][256];
  for (int k = 0; k < 16; ++k) e[k][threadIdx.x] = a[k * n + i] * c[k];
  __syncthreads();
  float s[104];
  for (int k = 0; k < 104; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 104; ++k) s[k] = s[k] * x + s[(k + 1) % 104];
  }
  float r = 0.0f;
  for (int k = 0; k < 104; ++k) r += s[k];
  for (int k = 0; k < 16; ++k) b[k * n + i] = e[k][threadIdx.x] * r;
}
