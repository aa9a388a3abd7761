// Structures by value, and as the document advises: behind a pointer.
struct P64 {
  float c[64];
};

struct P128 {
  float c[128];
};

struct P512 {
  float c[512];
};

// All of it in a loop that stores.
__global__ void __launch_bounds__(256) filter_smell(const P64 p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 64; ++k) r = r * x + p.c[k];
    b[j * n + i] = r;
  }
}

__global__ void __launch_bounds__(256) filter_repaired(const P64* p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 64; ++k) r = r * x + p->c[k];
    b[j * n + i] = r;
  }
}

// 512 bytes of it.
__global__ void __launch_bounds__(256) long_filter_smell(const P128 p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 128; ++k) r = r * x + p.c[k];
    b[j * n + i] = r;
  }
}

__global__ void __launch_bounds__(256) long_filter_repaired(const P128* p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 128; ++k) r = r * x + p->c[k];
    b[j * n + i] = r;
  }
}

// Two numbers of it at an index that is the same for all threads.
__global__ void __launch_bounds__(256) index_smell(const P128 p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    b[j * n + i] = x * p.c[j] + p.c[j + 1];
    r += x;
  }
  b[i] = r;
}

__global__ void __launch_bounds__(256) index_repaired(const P128* p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    b[j * n + i] = x * p->c[j] + p->c[j + 1];
    r += x;
  }
  b[i] = r;
}

// One number of it for each thread.
__global__ void __launch_bounds__(256) lanes_smell(const P128 p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = p.c[threadIdx.x % 128] * a[i];
}

__global__ void __launch_bounds__(256) lanes_repaired(const P128* p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = p->c[threadIdx.x % 128] * a[i];
}

// 2,048 bytes, each used once.
__global__ void __launch_bounds__(256) whole_smell(const P512 p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r = 0.0f;
  for (int k = 0; k < 512; ++k) r = r * a[i + k * n] + p.c[k];
  b[i] = r;
}

__global__ void __launch_bounds__(256) whole_repaired(const P512* p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float r = 0.0f;
  for (int k = 0; k < 512; ++k) r = r * a[i + k * n] + p->c[k];
  b[i] = r;
}
