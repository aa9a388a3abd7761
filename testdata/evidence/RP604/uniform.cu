// targets: gfx90a, gfx1100, sm_90
// A recurrent cell: 96 weights that all threads share, and a store in each step of the loop.
// time: lstm threads=262144 size=8388608 steps=16 n=262144
// known miss: lstm sm_90: the rule speaks about AMD's scalar registers; ptxas may gain by hoisting these loads, at many registers
__global__ void lstm_smell(const float* w, const float* a, float* b, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[4], c[4];
  for (int k = 0; k < 4; ++k) h[k] = c[k] = 0.0f;
  for (int t = 0; t < steps; ++t) {
    float x = a[t * n + i], g[4][4];
    for (int q = 0; q < 4; ++q) {
      for (int k = 0; k < 4; ++k) {
        float s = w[64 + q * 4 + k] * x + w[80 + q * 4 + k];
        for (int j = 0; j < 4; ++j) s += w[(q * 4 + k) * 4 + j] * h[j];
        g[q][k] = q == 3 ? tanhf(s) : 1.0f / (1.0f + expf(-s));
      }
    }
    for (int k = 0; k < 4; ++k) {
      c[k] = c[k] * g[1][k] + g[3][k] * g[0][k];
      h[k] = tanhf(c[k]) * g[2][k];
    }
    b[t * n + i] = h[0] + h[1] + h[2] + h[3];
  }
}

__global__ void lstm_repaired(const float* __restrict__ w, const float* a, float* b, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[4], c[4];
  for (int k = 0; k < 4; ++k) h[k] = c[k] = 0.0f;
  for (int t = 0; t < steps; ++t) {
    float x = a[t * n + i], g[4][4];
    for (int q = 0; q < 4; ++q) {
      for (int k = 0; k < 4; ++k) {
        float s = w[64 + q * 4 + k] * x + w[80 + q * 4 + k];
        for (int j = 0; j < 4; ++j) s += w[(q * 4 + k) * 4 + j] * h[j];
        g[q][k] = q == 3 ? tanhf(s) : 1.0f / (1.0f + expf(-s));
      }
    }
    for (int k = 0; k < 4; ++k) {
      c[k] = c[k] * g[1][k] + g[3][k] * g[0][k];
      h[k] = tanhf(c[k]) * g[2][k];
    }
    b[t * n + i] = h[0] + h[1] + h[2] + h[3];
  }
}

// 24 running sums with a coefficient each; the loop also copies its input.
// time: moments threads=262144 size=8388608 m=16 n=262144
// known miss: moments sm_90: the rule speaks about AMD's scalar registers; ptxas may gain by hoisting these loads, at many registers
__global__ void moments_smell(const double* w, const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[24];
  for (int k = 0; k < 24; ++k) s[k] = 0.0;
  for (int t = 0; t < m; ++t) {
    double x = a[t * n + i];
    b[t * n + i] = x;
    for (int k = 0; k < 24; ++k) s[k] = s[k] * x + w[k];
  }
  double r = 0.0;
  for (int k = 0; k < 24; ++k) r += s[k] * s[k];
  b[i] = r;
}

__global__ void moments_repaired(const double* __restrict__ w, const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[24];
  for (int k = 0; k < 24; ++k) s[k] = 0.0;
  for (int t = 0; t < m; ++t) {
    double x = a[t * n + i];
    b[t * n + i] = x;
    for (int k = 0; k < 24; ++k) s[k] = s[k] * x + w[k];
  }
  double r = 0.0;
  for (int k = 0; k < 24; ++k) r += s[k] * s[k];
  b[i] = r;
}

// 32 weights behind one store: 26 registers, but no step of the occupancy.
// time: filter threads=4194304 size=4194560
// known miss: filter sm_90: the rule speaks about AMD's scalar registers; ptxas may gain by hoisting these loads, at many registers
__global__ void filter_smell(const float* w, const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0.0f;
  float s = 0.0f;
  for (int k = 0; k < 32; ++k) s += w[k] * a[i + k];
  b[i] = s;
}

__global__ void filter_repaired(const float* __restrict__ w, const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0.0f;
  float s = 0.0f;
  for (int k = 0; k < 32; ++k) s += w[k] * a[i + k];
  b[i] = s;
}

// An atomic on another type is as bad as a store of the same.
// time: counter threads=4194304 size=4194304
// known miss: counter sm_90: the rule speaks about AMD's scalar registers; ptxas may gain by hoisting these loads, at many registers
__global__ void counter_smell(const float* w, const float* a, float* b, int* total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  if (x > 2.0f) atomicAdd(total, 1);
  for (int k = 0; k < 32; ++k) x = x * w[k] + 1.0f;
  b[i] = x;
}

__global__ void counter_repaired(const float* __restrict__ w, const float* a, float* b, int* total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  if (x > 2.0f) atomicAdd(total, 1);
  for (int k = 0; k < 32; ++k) x = x * w[k] + 1.0f;
  b[i] = x;
}

// A struct behind a pointer, read in a loop that stores.
// time: curve threads=262144 size=8388608 m=16 n=262144
// known miss: curve sm_90: the rule speaks about AMD's scalar registers; ptxas may gain by hoisting these loads, at many registers
struct Curve {
  float c[24];
};

__global__ void curve_smell(const Curve* p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int z = 0; z < m; ++z) {
    float x = a[z * n + i];
    for (int k = 0; k < 24; ++k) x = x * p->c[k] + 1.0f;
    b[z * n + i] = x;
  }
}

__global__ void curve_repaired(const Curve* __restrict__ p, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int z = 0; z < m; ++z) {
    float x = a[z * n + i];
    for (int k = 0; k < 24; ++k) x = x * p->c[k] + 1.0f;
    b[z * n + i] = x;
  }
}

// Stores to shared memory and a barrier do not count: the loads are scalar as they are.
// time: staged threads=4194304 size=4194304
__global__ void staged_smell(const float* w, const float* a, float* b) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = a[i];
  __syncthreads();
  float x = tile[threadIdx.x ^ 1];
  for (int k = 0; k < 32; ++k) x = x * w[k] + 1.0f;
  b[i] = x;
}

__global__ void staged_repaired(const float* __restrict__ w, const float* a, float* b) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = a[i];
  __syncthreads();
  float x = tile[threadIdx.x ^ 1];
  for (int k = 0; k < 32; ++k) x = x * w[k] + 1.0f;
  b[i] = x;
}

// A store of an integer cannot change a float: C++ says so and clang uses it.
// time: typed threads=4194304 size=4194560
// known miss: typed sm_90: the rule speaks about AMD's scalar registers; ptxas may gain by hoisting these loads, at many registers
__global__ void typed_smell(const float* w, const float* a, float* b, int* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[i] = 1;
  float s = 0.0f;
  for (int k = 0; k < 32; ++k) s += w[k] * a[i + k];
  b[i] = s;
}

__global__ void typed_repaired(const float* __restrict__ w, const float* a, float* b, int* seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[i] = 1;
  float s = 0.0f;
  for (int k = 0; k < 32; ++k) s += w[k] * a[i + k];
  b[i] = s;
}

// Scalar loads are 32 bits wide at least: 16-bit weights stay in VGPRs whatever is known about them.
// time: small threads=4194304 size=4194560
// known miss: small sm_90: the rule speaks about AMD's scalar registers; ptxas may gain by hoisting these loads, at many registers
__global__ void small_smell(const short* w, const short* a, short* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0;
  int s = 0;
  for (int k = 0; k < 32; ++k) s += w[k] * a[i + k];
  b[i] = s;
}

__global__ void small_repaired(const short* __restrict__ w, const short* a, short* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0;
  int s = 0;
  for (int k = 0; k < 32; ++k) s += w[k] * a[i + k];
  b[i] = s;
}

// The loop over steps carries a vector of 14; the matrix of a step and its row of costs are the same for all threads.
__global__ void adjoint_smell(const float* matrices, const float* costs, const float* starts, float* gradients, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[14];
  for (int j = 0; j < 14; j++) a[j] = starts[i * 14 + j];
  for (int t = steps - 1; t >= 0; t--) {
    const float* m = &matrices[t * 294];
    for (int j = 0; j < 7; j++) {
      float g = costs[t * 14 + j];
      for (int r = 0; r < 14; r++) g += m[r * 21 + 14 + j] * a[r];
      gradients[(i * steps + t) * 7 + j] = g;
    }
    float next[14];
    for (int c = 0; c < 14; c++) {
      float s = costs[t * 14 + c];
      for (int r = 0; r < 14; r++) s += m[r * 21 + c] * a[r];
      next[c] = s;
    }
    for (int j = 0; j < 14; j++) a[j] = next[j];
  }
}
__global__ void adjoint_repaired(const float* __restrict__ matrices, const float* __restrict__ costs, const float* starts, float* gradients, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[14];
  for (int j = 0; j < 14; j++) a[j] = starts[i * 14 + j];
  for (int t = steps - 1; t >= 0; t--) {
    const float* m = &matrices[t * 294];
    for (int j = 0; j < 7; j++) {
      float g = costs[t * 14 + j];
      for (int r = 0; r < 14; r++) g += m[r * 21 + 14 + j] * a[r];
      gradients[(i * steps + t) * 7 + j] = g;
    }
    float next[14];
    for (int c = 0; c < 14; c++) {
      float s = costs[t * 14 + c];
      for (int r = 0; r < 14; r++) s += m[r * 21 + c] * a[r];
      next[c] = s;
    }
    for (int j = 0; j < 14; j++) a[j] = next[j];
  }
}
