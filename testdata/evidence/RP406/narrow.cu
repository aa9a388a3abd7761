// targets: gfx90a, gfx1100, sm_90
// known miss: scaled gfx90a: the products of the repair fit in 32 bits only if the author knows it
// known miss: scaled sm_90: the products of the repair fit in 32 bits only if the author knows it

// The best of m candidates for each of 24 queries, by number: carried through a loop and changed on a condition.
// time: best threads=131072 size=8650752 m=64 n=131072
__global__ void best_smell(const float* a, const float* c, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[24];
  size_t at[24];
#pragma unroll
  for (int e = 0; e < 24; ++e) {
    s[e] = 1e30f;
    at[e] = 0;
  }
  for (int j = 0; j < m; ++j) {
    float y = c[j * n + i];
#pragma unroll
    for (int e = 0; e < 24; ++e) {
      float d = fabsf(a[e] - y);
      if (d < s[e]) {
        s[e] = d;
        at[e] = j;
      }
    }
  }
#pragma unroll
  for (int e = 0; e < 24; ++e) b[e * n + i] = c[at[e]] * s[e];
}

__global__ void best_repaired(const float* a, const float* c, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[24];
  unsigned at[24];
#pragma unroll
  for (int e = 0; e < 24; ++e) {
    s[e] = 1e30f;
    at[e] = 0;
  }
  for (int j = 0; j < m; ++j) {
    float y = c[j * n + i];
#pragma unroll
    for (int e = 0; e < 24; ++e) {
      float d = fabsf(a[e] - y);
      if (d < s[e]) {
        s[e] = d;
        at[e] = j;
      }
    }
  }
#pragma unroll
  for (int e = 0; e < 24; ++e) b[e * n + i] = c[at[e]] * s[e];
}

// Flags, set in a loop.
// time: flags threads=131072 size=8650752 m=64 n=131072
__global__ void flags_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long seen[16];
#pragma unroll
  for (int e = 0; e < 16; ++e) seen[e] = 0;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
#pragma unroll
    for (int e = 0; e < 16; ++e) {
      if (x > e) seen[e] = 1;
    }
  }
  float s = 0.0f;
#pragma unroll
  for (int e = 0; e < 16; ++e) {
    if (seen[e]) s += e * s + 1.0f;
  }
  b[i] = s;
}

__global__ void flags_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int seen[16];
#pragma unroll
  for (int e = 0; e < 16; ++e) seen[e] = 0;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
#pragma unroll
    for (int e = 0; e < 16; ++e) {
      if (x > e) seen[e] = 1;
    }
  }
  float s = 0.0f;
#pragma unroll
  for (int e = 0; e < 16; ++e) {
    if (seen[e]) s += e * s + 1.0f;
  }
  b[i] = s;
}

// A stack of 32-bit numbers: a run-time index.
// time: stack threads=131072 size=8650752 m=64 n=131072
__global__ void stack_smell(const int* a, int* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long stack[32];
  int top = 0;
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i];
    if (x > 0 && top < 32) {
      stack[top++] = x;
    } else if (top > 0) {
      b[j * n + i] = stack[--top];
    }
  }
}

__global__ void stack_repaired(const int* a, int* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stack[32];
  int top = 0;
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i];
    if (x > 0 && top < 32) {
      stack[top++] = x;
    } else if (top > 0) {
      b[j * n + i] = stack[--top];
    }
  }
}

// A permutation of 16, which fits the vector registers of clang.
// time: permutation threads=131072 size=8650752 m=64 n=131072
__global__ void permutation_smell(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t p[16];
  for (int e = 0; e < 16; ++e) p[e] = e;
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i] & 15;
    size_t t = p[0];
    p[0] = p[x];
    p[x] = t;
  }
  for (int e = 0; e < 16; ++e) b[e * n + i] = p[e];
}

__global__ void permutation_repaired(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned p[16];
  for (int e = 0; e < 16; ++e) p[e] = e;
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i] & 15;
    unsigned t = p[0];
    p[0] = p[x];
    p[x] = t;
  }
  for (int e = 0; e < 16; ++e) b[e * n + i] = p[e];
}

// Read once, then only used: compilers keep 32 bits of each.
// time: held threads=131072 size=8650752 m=64 n=131072
__global__ void held_smell(const float* a, const int* k, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long at[24];
#pragma unroll
  for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
  float s = 0.0f;
  for (int j = 0; j < m; ++j, a += n) {
#pragma unroll
    for (int e = 0; e < 24; ++e) s = s * 0.5f + a[at[e]];
  }
  b[i] = s;
}

__global__ void held_repaired(const float* a, const int* k, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at[24];
#pragma unroll
  for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
  float s = 0.0f;
  for (int j = 0; j < m; ++j, a += n) {
#pragma unroll
    for (int e = 0; e < 24; ++e) s = s * 0.5f + a[at[e]];
  }
  b[i] = s;
}

// The same, multiplied in the loop. The repair multiplies in 32 bits, which is the same only if the products fit.
// time: scaled threads=131072 size=8650752 m=64 n=131072
__global__ void scaled_smell(const float* a, const unsigned* k, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t at[24];
#pragma unroll
  for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int e = 0; e < 24; ++e) s = s * 0.5f + a[at[e] * m + j];
  }
  b[i] = s;
}

__global__ void scaled_repaired(const float* a, const unsigned* k, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned at[24];
#pragma unroll
  for (int e = 0; e < 24; ++e) at[e] = k[e * n + i];
  float s = 0.0f;
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int e = 0; e < 24; ++e) s = s * 0.5f + a[at[e] * m + j];
  }
  b[i] = s;
}

// A counter alone, which compilers replace by what they step through: no array, and nothing to say.
// time: counter threads=131072 size=8650752 m=64 n=131072
__global__ void counter_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (size_t j = 0; j < m; ++j) s += a[j * n + i];
  b[i] = s;
}

__global__ void counter_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int j = 0; j < m; ++j) s += a[j * n + i];
  b[i] = s;
}
