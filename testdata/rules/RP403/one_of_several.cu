// A column of shared memory pays for the only array in local memory; others would lose the L1 cache that it takes.

__global__ void alone(const int* a, float* b, int n) {
  float seen[24];  // expect: RP403 warning @9 "`seen` of 24 x float"
  for (int k = 0; k < 24; ++k) seen[k] = 0.5f * k;
  for (int k = 0; k < n; ++k) {
    int at = a[k * 256 + threadIdx.x] % 24;
    seen[at] = seen[(at + 5) % 24] * 0.5f + k;
  }
  b[blockIdx.x * 256 + threadIdx.x] = seen[a[threadIdx.x] % 24];
}

void run_alone(const int* a, float* b, int n) { alone<<<1000, 256>>>(a, b, n); }

__global__ void together(const int* a, float* b, int n) {
  float seen[24];   // expect: RP403 info @9 "`seen` of 24 x float"
  float other[20];  // expect: RP403 info @9 "`other` of 20 x float"
  for (int k = 0; k < 24; ++k) seen[k] = 0.5f * k;
  for (int k = 0; k < 20; ++k) other[k] = 0.25f * k;
  for (int k = 0; k < n; ++k) {
    int at = a[k * 256 + threadIdx.x] % 24, to = a[k * 256 + threadIdx.x + 7] % 20;
    seen[at] = seen[(at + 5) % 24] * 0.5f + k;
    other[to] = other[(to + 3) % 20] * seen[to] + k;
  }
  b[blockIdx.x * 256 + threadIdx.x] = seen[a[threadIdx.x] % 24] + other[a[threadIdx.x] % 20];
}

void run_together(const int* a, float* b, int n) { together<<<1000, 256>>>(a, b, n); }

// Which of two constants an element has depends on the thread: no table that all threads share.
__global__ void met(const unsigned char* a, int* b, int n) {
  bool seen[64] = {};  // expect: RP403 warning @8 "`seen` of 64 x bool"
  int twice = 0;
  for (int k = 0; k < n; ++k) {
    if (a[k * 256 + threadIdx.x] == 0) {
      for (int i = 0; i < 64; ++i) seen[i] = false;
    }
    if (seen[a[k * 256 + threadIdx.x] & 63]) ++twice;
    seen[a[k * 256 + threadIdx.x] & 63] = true;
  }
  b[blockIdx.x * 256 + threadIdx.x] = twice;
}

void run_met(const unsigned char* a, int* b, int n) { met<<<1000, 256>>>(a, b, n); }
