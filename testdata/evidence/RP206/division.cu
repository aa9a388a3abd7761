// targets: gfx90a, gfx1100, sm_90
// A gather at a remainder, once: registers inside the first step.
// time: ring threads=16777216 w=1000003
__global__ void ring_smell(const float* a, float* b, size_t w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t k = i;
  b[i] = a[(k * 7919) % w];
}

__global__ void ring_repaired(const float* a, float* b, unsigned w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned k = i;
  b[i] = a[(k * 7919) % w];
}

// A remainder in a loop.
// time: walk threads=4194304 w=65537 m=16
__global__ void walk_smell(const float* a, float* b, size_t w, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  size_t k = i;
  for (int j = 0; j < m; ++j) {
    k = (k * 31 + j) % w;
    s += a[k];
  }
  b[i] = s;
}

__global__ void walk_repaired(const float* a, float* b, unsigned w, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  unsigned k = i;
  for (int j = 0; j < m; ++j) {
    k = (k * 31 + j) % w;
    s += a[k];
  }
  b[i] = s;
}

// Operands that were widened from 32 bits: clang divides in 32 bits.
// time: widened threads=16777216 w=1000003
__global__ void widened_smell(const float* a, float* b, unsigned w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t k = (unsigned)i;
  b[i] = a[k % (size_t)w];
}

__global__ void widened_repaired(const float* a, float* b, unsigned w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[(unsigned)i % w];
}

// A constant divisor: compilers multiply.
// time: constant threads=16777216
__global__ void constant_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t k = i;
  b[i] = a[(k * 7919) % 1000003];
}

__global__ void constant_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned k = i;
  b[i] = a[(k * 7919) % 1000003];
}

// The same beside as many accumulators as leave clang just below a step.
// time: step threads=1048576 size=56623104 w=65537 m=16
__global__ void __launch_bounds__(256) step_smell(const float* a, const float* c, float* b, size_t w, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[54];
#pragma unroll
  for (int e = 0; e < 54; ++e) s[e] = 0.0f;
  size_t k = i;
  for (int j = 0; j < m; ++j) {
    k = (k * 31 + j) % w;
    float v = a[k];
#pragma unroll
    for (int e = 0; e < 54; ++e) s[e] += v * c[e];
  }
#pragma unroll
  for (int e = 0; e < 54; ++e) b[54 * i + e] = s[e];
}

__global__ void __launch_bounds__(256) step_repaired(const float* a, const float* c, float* b, unsigned w, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[54];
#pragma unroll
  for (int e = 0; e < 54; ++e) s[e] = 0.0f;
  unsigned k = i;
  for (int j = 0; j < m; ++j) {
    k = (k * 31 + j) % w;
    float v = a[k];
#pragma unroll
    for (int e = 0; e < 54; ++e) s[e] += v * c[e];
  }
#pragma unroll
  for (int e = 0; e < 54; ++e) b[54 * i + e] = s[e];
}
