// What may need 64 bits, or is not private: silent.
__device__ void fill(long* v, int m);

// A sum of many 32-bit numbers.
__global__ void sums(const int* a, long long* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long sum[8];
  for (int e = 0; e < 8; ++e) sum[e] = 0;
  for (int j = 0; j < m; ++j) {
    for (int e = 0; e < 8; ++e) sum[e] += a[(j * 8 + e) * n + i];
  }
  for (int e = 0; e < 8; ++e) b[e * n + i] = sum[e];
}

// 64-bit numbers from memory.
__global__ void loaded(const size_t* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t at[8];
  for (int e = 0; e < 8; ++e) at[e] = a[e * n + i];
  for (int e = 0; e < 8; ++e) b[at[e]] = 1.0f;
}

// What may be negative wraps to 64 bits.
__global__ void negative(const int* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t at[8];
  for (int e = 0; e < 8; ++e) at[e] = a[e * n + i];
  for (int e = 0; e < 8; ++e) b[at[e]] = 1.0f;
}

// A product of 64 bits.
__global__ void product(const unsigned* a, float* b, unsigned w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t at[8];
  for (int e = 0; e < 8; ++e) at[e] = (size_t)a[e * n + i] * w;
  for (int e = 0; e < 8; ++e) b[at[e]] = 1.0f;
}

// The state of a generator.
__global__ void state(unsigned long long* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long s[2] = {1, 2};
  for (int j = 0; j < m; ++j) {
    unsigned long long t = s[0] ^ s[0] << 23;
    s[0] = s[1];
    s[1] = t ^ s[1] ^ t >> 17;
  }
  b[i] = s[0] + s[1];
}

// The digits of doubles are the author's choice.
__global__ void doubles(const float* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[8];
  for (int e = 0; e < 8; ++e) s[e] = 0.0;
  for (int j = 0; j < m; ++j) {
    for (int e = 0; e < 8; ++e) s[e] += a[(j * 8 + e) * n + i];
  }
  for (int e = 0; e < 8; ++e) b[e * n + i] = s[e];
}

// 32 bits.
__global__ void narrow(const int* a, int* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stack[32];  // expect: RP403
  int top = 0;
  for (int j = 0; j < m; ++j) {
    if (top < 32) stack[top++] = a[j * n + i];
  }
  while (top > 0) b[top * n + i] = stack[--top];
}

// Another function may write it.
__global__ void filled(const int* a, int* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long v[8];
  fill(v, m);
  int x = a[i];
  b[i] = v[x & 7];
}
