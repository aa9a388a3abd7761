// targets: gfx90a, gfx1100, sm_90
// One literal makes the exponential FP64.
// time: gauss threads=16777216
__global__ void gauss_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = exp(-0.5 * x * x);
}

__global__ void gauss_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = exp(-0.5f * x * x);
}

// The same for a logarithm.
// time: logarithm threads=16777216
__global__ void logarithm_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = log(1.0 + x);
}

__global__ void logarithm_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = log(1.0f + x);
}

// A constant: the sine leaves a stack frame on NVIDIA.
// time: wave threads=16777216
__global__ void wave_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double pi = 3.14159265358979;
  float x = a[i];
  b[i] = sin(2.0 * pi * x);
}

__global__ void wave_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float pi = 3.14159265358979f;
  float x = a[i];
  b[i] = sin(2.0f * pi * x);
}

// A fractional power.
// time: gamma threads=16777216
__global__ void gamma_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = pow(x, 1.5);
}

__global__ void gamma_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = pow(x, 1.5f);
}

// A kernel density estimate.
// time: density threads=1048576 h=0.5 m=64
__global__ void density_smell(const float* a, float* b, float h, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], s = 0.0f;
  for (int j = 0; j < m; ++j) {
    float d = x - a[j];
    s += exp(-0.5 * d * d / (h * h));
  }
  b[i] = s;
}

__global__ void density_repaired(const float* a, float* b, float h, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], s = 0.0f;
  for (int j = 0; j < m; ++j) {
    float d = x - a[j];
    s += exp(-0.5f * d * d / (h * h));
  }
  b[i] = s;
}

// A square root: few registers.
// time: root threads=16777216
__global__ void root_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = sqrt(1.0 + x);
}

__global__ void root_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = sqrt(1.0f + x);
}

// Literals outside of math functions are turned back by the compilers.
// time: folded threads=16777216
__global__ void folded_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = 0.5 * x;
}

__global__ void folded_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = 0.5f * x;
}
