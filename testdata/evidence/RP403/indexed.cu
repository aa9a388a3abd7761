// targets: gfx90a, gfx1100, sm_90
// time: histogram threads=1048576 size=1048576 m=256
// time: bins threads=1048576 size=1048576 m=256
// time: degree threads=1048576 size=1048576 m=64 n=24
// time: rolled threads=1048576 size=2097152 m=64
// time: heavy threads=262144 size=1048576 m=16
// time: medium threads=262144 size=1048576 m=16
// time: calls threads=262144 size=1048576 m=16
// time: cold threads=1048576 size=1048576 m=64 pick=5
// known miss: fields gfx90a: RP405 speaks of it
// known miss: fields gfx1100: RP405 speaks of it
// time: fields threads=1048576 size=1048576 m=64
// time: member threads=1048576 size=1048576 m=64
// time: select threads=1048576 size=2097152 pick=3
// A private histogram of 16 bins: nvcc keeps it in local memory, clang in registers.
__global__ void histogram_smell(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[16] = {};
  int q = a[i];
  for (int j = 0; j < m; ++j) {
    h[q & 15] += 1.0f;
    q = q * 5 + 3;
  }
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += h[k] * k;
  b[i] = s;
}

__global__ void histogram_repaired(const int* a, float* b, int m) {
  __shared__ float h[16][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
#pragma unroll
  for (int k = 0; k < 16; ++k) h[k][t] = 0.0f;
  int q = a[i];
  for (int j = 0; j < m; ++j) {
    h[q & 15][t] += 1.0f;
    q = q * 5 + 3;
  }
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += h[k][t] * k;
  b[i] = s;
}

// 32 bins are too many for clang as well.
__global__ void bins_smell(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[32] = {};
  int q = a[i];
  for (int j = 0; j < m; ++j) {
    h[q & 31] += 1.0f;
    q = q * 5 + 3;
  }
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 32; ++k) s += h[k] * k;
  b[i] = s;
}

__global__ void bins_repaired(const int* a, float* b, int m) {
  __shared__ float h[32][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
#pragma unroll
  for (int k = 0; k < 32; ++k) h[k][t] = 0.0f;
  int q = a[i];
  for (int j = 0; j < m; ++j) {
    h[q & 31][t] += 1.0f;
    q = q * 5 + 3;
  }
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 32; ++k) s += h[k][t] * k;
  b[i] = s;
}

// A polynomial whose degree is an argument: a constant bound with a test inside has constant indices.
__global__ void degree_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c[24];
  for (int k = 0; k < n; ++k) c[k] = a[i] * k;
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = s * 0.5f + j, p = 0.0f;
    for (int k = 0; k < n; ++k) p = p * x + c[k];
    s += p * 1e-9f;
  }
  b[i] = s;
}

__global__ void degree_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float c[24];
#pragma unroll
  for (int k = 0; k < 24; ++k) c[k] = a[i] * k;
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = s * 0.5f + j, p = 0.0f;
#pragma unroll
    for (int k = 0; k < 24; ++k)
      if (k < n) p = p * x + c[k];
    s += p * 1e-9f;
  }
  b[i] = s;
}

// A pragma that keeps a loop rolled.
__global__ void rolled_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[20];
  for (int k = 0; k < 20; ++k) v[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
#pragma unroll 1
    for (int k = 0; k < 20; ++k) v[k] = v[k] * 0.5f + v[19 - k];
  }
  float s = 0.0f;
  for (int k = 0; k < 20; ++k) s += v[k];
  b[i] = s;
}

__global__ void rolled_repaired(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[20];
  for (int k = 0; k < 20; ++k) v[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int k = 0; k < 20; ++k) v[k] = v[k] * 0.5f + v[19 - k];
  }
  float s = 0.0f;
  for (int k = 0; k < 20; ++k) s += v[k];
  b[i] = s;
}

// A counted loop that is too long to be unrolled without being asked for.
__global__ void heavy_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[40];
  for (int d = 0; d < 40; ++d) x[d] = a[i + d];
  for (int j = 0; j < m; ++j) {
    for (int d = 0; d < 40; ++d) {
      float s = x[d], y = x[39 - d] * 1e-3f;
      s = s * y + (x[d] - s * 0.25f) * (y + 0.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 1.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 2.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 3.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 4.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 5.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 6.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 7.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 8.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 9.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 10.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 11.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 12.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 13.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 14.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 15.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 16.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 17.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 18.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 19.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 20.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 21.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 22.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 23.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 24.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 25.5f);
      x[d] = s;
    }
  }
  float s = 0.0f;
  for (int d = 0; d < 40; ++d) s += x[d];
  b[i] = s;
}

__global__ void heavy_repaired(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[40];
  for (int d = 0; d < 40; ++d) x[d] = a[i + d];
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int d = 0; d < 40; ++d) {
      float s = x[d], y = x[39 - d] * 1e-3f;
      s = s * y + (x[d] - s * 0.25f) * (y + 0.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 1.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 2.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 3.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 4.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 5.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 6.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 7.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 8.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 9.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 10.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 11.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 12.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 13.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 14.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 15.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 16.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 17.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 18.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 19.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 20.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 21.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 22.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 23.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 24.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 25.5f);
      x[d] = s;
    }
  }
  float s = 0.0f;
  for (int d = 0; d < 40; ++d) s += x[d];
  b[i] = s;
}

// Half as long: clang still unrolls it, because it indexes an array; nvcc does not.
__global__ void medium_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[40];
  for (int d = 0; d < 40; ++d) x[d] = a[i + d];
  for (int j = 0; j < m; ++j) {
    for (int d = 0; d < 40; ++d) {
      float s = x[d], y = x[39 - d] * 1e-3f;
      s = s * y + (x[d] - s * 0.25f) * (y + 0.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 1.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 2.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 3.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 4.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 5.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 6.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 7.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 8.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 9.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 10.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 11.5f);
      x[d] = s;
    }
  }
  float s = 0.0f;
  for (int d = 0; d < 40; ++d) s += x[d];
  b[i] = s;
}

__global__ void medium_repaired(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[40];
  for (int d = 0; d < 40; ++d) x[d] = a[i + d];
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int d = 0; d < 40; ++d) {
      float s = x[d], y = x[39 - d] * 1e-3f;
      s = s * y + (x[d] - s * 0.25f) * (y + 0.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 1.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 2.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 3.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 4.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 5.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 6.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 7.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 8.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 9.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 10.5f);
      s = s * y + (x[d] - s * 0.25f) * (y + 11.5f);
      x[d] = s;
    }
  }
  float s = 0.0f;
  for (int d = 0; d < 40; ++d) s += x[d];
  b[i] = s;
}

// Calls of mathematical functions: unrolling them spills, a column of shared memory does not.
__global__ void calls_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[24];
  for (int d = 0; d < 24; ++d) x[d] = a[i + d];
  for (int j = 0; j < m; ++j) {
    for (int d = 0; d < 24; ++d) x[d] = powf(x[d], 1.5f) * 0.25f + expf(-x[d] * j);
  }
  float s = 0.0f;
  for (int d = 0; d < 24; ++d) s += x[d];
  b[i] = s;
}

__global__ void calls_repaired(const float* a, float* b, int m) {
  __shared__ float x[24][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  for (int d = 0; d < 24; ++d) x[d][t] = a[i + d];
  for (int j = 0; j < m; ++j) {
    for (int d = 0; d < 24; ++d) x[d][t] = powf(x[d][t], 1.5f) * 0.25f + expf(-x[d][t] * j);
  }
  float s = 0.0f;
  for (int d = 0; d < 24; ++d) s += x[d][t];
  b[i] = s;
}

// One read at a run-time index behind the loops: clang copies the array to scratch once, nvcc selects.
__global__ void cold_smell(const float* a, float* b, int m, int pick) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[24];
  for (int k = 0; k < 24; ++k) v[k] = a[i] * k;
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int k = 0; k < 24; ++k) v[k] = v[k] * 0.5f + v[23 - k];
  }
  b[i] = v[pick];
}

__global__ void cold_repaired(const float* a, float* b, int m, int pick) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[24];
  for (int k = 0; k < 24; ++k) v[k] = a[i] * k;
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int k = 0; k < 24; ++k) v[k] = v[k] * 0.5f + v[23 - k];
  }
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 24; ++k) s = k == pick ? v[k] : s;
  b[i] = s;
}

// An array of vectors is never made a vector register of by clang; its components are, up to 16 elements each.
__global__ void fields_smell(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v[8];
  for (int k = 0; k < 8; ++k) v[k] = make_float2(k, k + i);
  int q = a[i];
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    v[q & 7].x += 1.0f;
    s += v[(q + j) & 7].y;
    q = q * 5 + 3;
  }
  for (int k = 0; k < 8; ++k) s += v[k].x * k;
  b[i] = s;
}

__global__ void fields_repaired(const int* a, float* b, int m) {
  __shared__ float x[8][256], y[8][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  for (int k = 0; k < 8; ++k) {
    x[k][t] = k;
    y[k][t] = k + i;
  }
  int q = a[i];
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
    x[q & 7][t] += 1.0f;
    s += y[(q + j) & 7][t];
    q = q * 5 + 3;
  }
  for (int k = 0; k < 8; ++k) s += x[k][t] * k;
  b[i] = s;
}

// A member of a struct: the struct goes to memory as a whole.
struct Counts {
  float bin[24];
  int last;
};

__global__ void member_smell(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Counts c;
  for (int k = 0; k < 24; ++k) c.bin[k] = 0.0f;
  c.last = a[i];
  for (int j = 0; j < m; ++j) {
    c.bin[c.last % 24] += 1.0f;
    c.last = (c.last * 5 + 3) & 1023;
  }
  float s = 0.0f;
  for (int k = 0; k < 24; ++k) s += c.bin[k] * k;
  b[i] = s;
}

__global__ void member_repaired(const int* a, float* b, int m) {
  __shared__ float bin[24][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  for (int k = 0; k < 24; ++k) bin[k][t] = 0.0f;
  int last = a[i];
  for (int j = 0; j < m; ++j) {
    bin[last % 24][t] += 1.0f;
    last = (last * 5 + 3) & 1023;
  }
  float s = 0.0f;
  for (int k = 0; k < 24; ++k) s += bin[k][t] * k;
  b[i] = s;
}

// Eight values and one read at a run-time index: all compilers select, and there is nothing to repair.
__global__ void select_smell(const float* a, float* b, int pick) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[8];
  for (int k = 0; k < 8; ++k) v[k] = a[i + k];
  float s = 0.0f;
  for (int k = 0; k < 8; ++k) s += v[k] * v[7 - k];
  b[i] = s + v[pick];
}

__global__ void select_repaired(const float* a, float* b, int pick) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[8], p = 0.0f;
  for (int k = 0; k < 8; ++k) {
    v[k] = a[i + k];
    p = k == pick ? v[k] : p;
  }
  float s = 0.0f;
  for (int k = 0; k < 8; ++k) s += v[k] * v[7 - k];
  b[i] = s + p;
}
