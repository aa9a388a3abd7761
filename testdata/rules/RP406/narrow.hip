// 64-bit private arrays whose values fit in 32 bits.

__global__ void best(const float* c, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[16];
  size_t at[16];  // expect: RP406 "`at` of 16 x size_t (128 bytes per thread) holds values from 0 to 2,147,483,646" "54 -> 40 VGPRs on gfx90a"
#pragma unroll
  for (int e = 0; e < 16; ++e) {
    s[e] = 1e30f;
    at[e] = 0;
  }
  for (int j = 0; j < m; ++j) {
    float y = c[j * n + i];
#pragma unroll
    for (int e = 0; e < 16; ++e) {
      if (y < s[e]) {
        s[e] = y;
        at[e] = j;
      }
    }
  }
#pragma unroll
  for (int e = 0; e < 16; ++e) b[e * n + i] = c[at[e]] * s[e];
}

__global__ void stack(const int* a, int* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long stack[32];  // expect: RP406 info "128 bytes of scratch memory less on gfx90a"
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

__global__ void seen(const int* a, int* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int64_t seen[16];  // expect: RP406 "holds values from 0 to 1: with the fix" "52 -> 43 VGPRs"
#pragma unroll
  for (int e = 0; e < 16; ++e) seen[e] = 0;
  for (int j = 0; j < m; ++j) {
    int x = a[j * n + i];
#pragma unroll
    for (int e = 0; e < 16; ++e) seen[e] |= x > e;
  }
  int s = 0;
#pragma unroll
  for (int e = 0; e < 16; ++e) {
    if (seen[e] != 0) s += e;
  }
  b[i] = s;
}

__global__ void histogram(const int* a, int* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long bins[16];  // expect: RP406 "holds values from 0 to 512: with the fix"
  for (int k = 0; k < 16; ++k) bins[k] = 0;
  for (int j = 0; j < 256; ++j) {
    int x = a[j * n + i];
    bins[x & 15] += 1;
    bins[x >> 4 & 15]++;
  }
  for (int k = 0; k < 16; ++k) b[k * n + i] = bins[k] > 3 ? 1 : 0;
}

__global__ void held(const int* a, int* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long at[8];  // expect: RP406 hint "compilers see that"
#pragma unroll
  for (int e = 0; e < 8; ++e) at[e] = a[e * n + i];
  int s = 0;
  for (int j = 0; j < m; ++j, a += n) {
#pragma unroll
    for (int e = 0; e < 8; ++e) s = s * 3 + a[at[e]];
  }
  b[i] = s;
}
