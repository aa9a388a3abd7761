// targets: gfx90a, gfx1100, sm_90
// time: window threads=4194304 size=134217728 stride=4194304
// time: carried threads=1048576 size=67108864 m=64 n=1048576
// A window of 32 values at constant indices: `volatile` alone keeps it in memory.
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
