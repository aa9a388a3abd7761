// targets: sm_90
// Nothing is held: an address is made where it is used.
__global__ void __launch_bounds__(256) element(float* out, const float* a, const float* b, size_t n, size_t pitch, int m) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i + k * pitch] * b[i * pitch + k] + a[(i + 1) * pitch + k];
  out[i] = sum;
}

// Three of them are within what ptxas adds and saves by itself.
__global__ void __launch_bounds__(256) few(double* out, const double* f, const double* g, const long* list, long n, int m) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  long at[3];
#pragma unroll
  for (int k = 0; k < 3; ++k) at[k] = list[k * n + i];
  double sum = 0;
  for (int q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 3; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
  }
  out[i] = sum;
}

// 32 bits already.
__global__ void __launch_bounds__(256) narrow(double* out, const double* f, const double* g, const int* list, int n, int m) {
  int i = blockIdx.x * (int)blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) at[k] = list[k * n + i];
  double sum = 0;
  for (int q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 12; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
  }
  out[i] = sum;
}

// State of a hash: its bits are data, and the index that is made of it has 32 of them.
__global__ void __launch_bounds__(256) hashed(unsigned long long* out, const unsigned long long* table, const unsigned* in, int n) {
  unsigned long long state[6];
#pragma unroll
  for (int k = 0; k < 6; ++k) state[k] = in[threadIdx.x + k];
  for (int q = 0; q < n; ++q) {
#pragma unroll
    for (int k = 0; k < 6; ++k) state[k] = table[(state[k] ^ in[q]) & 0xff] ^ (state[k] >> 8);
  }
#pragma unroll
  for (int k = 0; k < 6; ++k) out[threadIdx.x * 6 + k] = state[k];
}

// The same by a generator without such operations: only its upper half is an index.
__global__ void __launch_bounds__(256) drawn(unsigned long long* out, const float* table, const unsigned* in, int n) {
  unsigned long long state[6];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 6; ++k) state[k] = in[threadIdx.x + k];
  for (int q = 0; q < n; ++q) {
#pragma unroll
    for (int k = 0; k < 6; ++k) {
      state[k] = state[k] * 6364136223846793005ull + 1442695040888963407ull;
      unsigned at = (unsigned)(state[k] >> 40);
      sum += table[at];
    }
  }
#pragma unroll
  for (int k = 0; k < 6; ++k) out[threadIdx.x * 6 + k] = state[k] + (unsigned long long)sum;
}
