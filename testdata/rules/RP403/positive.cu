#include <cuda_runtime.h>

// A private histogram.
__global__ void histogram(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[16] = {};  // expect: RP403 warning @9 "goes to local memory on sm_90 because the index of `h[q & 15]` is not a constant: `q` changes from one iteration to the next" "nvcc keeps an array in registers only if selecting among all its elements is cheap"
  int q = a[i];
  for (int j = 0; j < m; ++j) {
    h[q & 15] += 1.0f;
    q = q * 5 + 3;
  }
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += h[k] * k;
  b[i] = s;
}

// 8-bit elements never stay.
__global__ void counts(const unsigned char* a, int* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char n[16] = {};  // expect: RP403 warning "16 x unsigned char"
  for (int j = 0; j < m; ++j) n[a[j * 64 + i] & 15] += 1;
  int s = 0;
  for (int k = 0; k < 16; ++k) s += n[k] * k;
  b[i] = s;
}

// A counted loop of constant bounds with calls is not unrolled; next to the calls its accesses hardly count.
__global__ void calls(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[24];  // expect: RP403 info "the loop over `d` is too long to be unrolled (24 iterations of its body)"
  for (int d = 0; d < 24; ++d) x[d] = a[i + d];
  for (int j = 0; j < m; ++j) {
    for (int d = 0; d < 24; ++d) x[d] = powf(x[d], 1.5f) * 0.25f + expf(-x[d] * j);
  }
  float s = 0.0f;
  for (int d = 0; d < 24; ++d) s += x[d];
  b[i] = s;
}

// Larger than any compiler takes, whatever the indices, and too large for shared memory: nothing easy to be done.
__global__ void large(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[400];  // expect: RP403 info "(1,600 bytes per thread) goes to local memory on sm_90"
  for (int k = 0; k < n; ++k) v[k] = a[k * 64 + i];
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s += v[k] * v[n - k];
  b[i] = s;
}

// The index comes from the thread.
__global__ void lanes(const double* a, double* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v[6];  // expect: RP403 warning "it depends on the thread (`threadIdx.x`)"
  for (int k = 0; k < 6; ++k) v[k] = a[k * 64 + i];
  for (int j = 0; j < m; ++j) v[threadIdx.x % 6] += j;
  b[i] = v[0] + v[5];
}

// In order, but not from the first element on, or with an exit: no four of them lie side by side for all copies.
__global__ void from_the_middle(const float* a, float* b, int m) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float v[16];  // expect: RP403 @9 "`v` of 16 x float" "local memory"
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) v[k] = a[t * 16 + k];
  for (int j = 0; j < m; ++j) {
    for (int k = j; k < m; ++k) {
      s += v[k] * a[j];
      v[k] = s;
    }
  }
  b[t] = s;
}

__global__ void in_order_of_twenty(const float* a, float* b, int m, int r) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float v[20];  // expect: RP403 @9 "`v` of 20 x float" "local memory"
  float s = 0.0f;
  for (int k = 0; k < 20; ++k) v[k] = a[t * 20 + k];
  for (int j = 0; j < r; ++j) {
    for (int k = 0; k < m; ++k) {
      s += v[k] * a[j];
      v[k] = s;
    }
  }
  b[t] = s;
}

// Other work hides the selects (near_miss.cu), but not where the index comes out of a routine with a call in it.
__global__ void behind_a_root(const float* a, float* b, float x, int m) {
  int t = threadIdx.x;
  float v[9];  // expect: RP403 @9 "`v` of 9 x float" "local memory"
  float s = 0.0f;
  for (int k = 0; k < 9; ++k) v[k] = 0.0f;
#pragma unroll 1
  for (int j = 0; j < m; ++j) {
    float c = a[j * 64 + t];
#pragma unroll
    for (int k = 0; k < 20; ++k) c = c * c + x;
    v[(int)sqrtf(a[j * 64 + t + 32]) & 7] += c;
    s += c;
  }
  for (int k = 0; k < 9; ++k) b[t * 9 + k] = v[k] + s;
}

// Whatever type it is instantiated with.
template <typename scalar_t>
__global__ void nearest(const scalar_t* x, int64_t* place, int k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  scalar_t best[100];  // expect: RP403 @12 "`best` of 100 x scalar_t (400 bytes per thread if `scalar_t` is a float)"
  for (int e = 0; e < k; e++) best[e] = (scalar_t)1e10;
  for (int j = 0; j < n; j++) {
    for (int e = 0; e < k; e++) {
      if (best[e] > x[i + j * n]) {
        for (int f = k - 1; f > e; f--) best[f] = best[f - 1];
        best[e] = x[i + j * n];
        place[i * k + e] = j;
        break;
      }
    }
  }
}
