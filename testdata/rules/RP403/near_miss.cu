// Arrays that nvcc keeps in registers.
#include <cuda_runtime.h>

// One read outside of loops: selects.
__global__ void pick(const float* a, float* b, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[8];
  for (int k = 0; k < 8; ++k) v[k] = a[i + k];
  b[i] = v[which];
}

// nvcc does not know `nounroll`.
__global__ void unheard(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[20];
  for (int k = 0; k < 20; ++k) v[k] = a[i + k];
  for (int j = 0; j < m; ++j) {
#pragma nounroll
    for (int k = 0; k < 20; ++k) v[k] = v[k] * 0.5f + v[19 - k];
  }
  b[i] = v[0] + v[7];
}

// Shared memory is no private array; a pointer to an array is none either.
__global__ void shared(const int* a, float* b, int m) {
  __shared__ float h[32][128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float (*row)[128] = &h[m];
  for (int j = 0; j < m; ++j) h[a[j * 64 + i] & 31][threadIdx.x] += 1.0f;
  b[i] = row[0][threadIdx.x];
}

// A longer body than usual, without calls: unrolled because it indexes an array.
__global__ void __launch_bounds__(256) butterflies(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[32];
  for (int k = 0; k < 32; ++k) v[k] = a[i + k];
  for (int st = 1; st < 32; st *= 2)
    for (int k = 0; k < 32; ++k) {
      float x = v[k], y = v[k ^ st];
      v[k] = (k & st) != 0 ? y - x : x + y;
    }
  for (int k = 0; k < 32; ++k) b[i + k] = v[k];
}

// A bound that rests on a template's argument, and one element, of which there is no other.
template <int N>
__global__ void halves(const float* a, float* b) {
  constexpr int even = (N / 2) * 2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[16];
  float only[1];
  for (int k = 0; k < even; ++k) v[k] = a[i + k];
  only[threadIdx.x & 31] = v[0];
  for (int k = 0; k < even; ++k) b[i + k] = v[k / 2] + only[0];
}

// The same histogram that is in memory where a loop does nothing else (positive.cu) is selected from beside other work.
__global__ void besides(const int* a, const float* w, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float h[8] = {};
  float z = w[i];
#pragma unroll 1
  for (int j = 0; j < m; ++j) {
#pragma unroll
    for (int k = 0; k < 12; ++k) z = sqrtf(z) + w[k * 64 + j];
    h[a[j * 64 + i] & 7] += z;
  }
  float s = 0.0f;
  for (int k = 0; k < 8; ++k) s += h[k] * k;
  b[i] = s;
}

// An index in a variable of its own: the outer loop is copied as it is for `c[k + 4 * j]`.
__global__ void named_index(const float* a, float* b, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float c[16];
  for (int j = 0; j < 4; ++j) {
    float most = -1e30f;
    for (int k = 0; k < 4; ++k) {
      const int at = k + 4 * j;
      c[at] = a[at * n + t];
      most = fmaxf(most, c[at]);
    }
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k) {
      const int at = k + 4 * j;
      c[at] = expf(c[at] - most);
      sum += c[at];
    }
    const float part = 1.0f / sum;
    for (int k = 0; k < 4; ++k) {
      const int at = k + 4 * j;
      c[at] *= part;
    }
  }
  for (int k = 0; k < 16; ++k) b[k * n + t] = c[k];
}

// Loops over the elements in order, from the first on, to an end known at run time: nvcc makes four copies, whose words
// lie side by side, and ptxas selects among 4 places and not among 16.
__global__ void in_order(const float* a, float* b, int m, int r) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float v[16];
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) v[k] = a[t * 16 + k];
  for (int j = 0; j < r; ++j) {
    for (int k = 0; k < m; ++k) {
      s += v[k] * a[j];
      v[k] = s;
    }
  }
  b[t] = s;
}

// A root that decides whether and what, but is no part of the index.
__global__ void beside_a_root(const float* a, float* b, float x, int m) {
  int t = threadIdx.x;
  float v[9];
  float s = 0.0f;
  for (int k = 0; k < 9; ++k) v[k] = 0.0f;
#pragma unroll 1
  for (int j = 0; j < m; ++j) {
    float c = a[j * 64 + t];
#pragma unroll
    for (int k = 0; k < 20; ++k) c = c * c + x;
    if (sqrtf(a[j * 64 + t + 32]) > x) v[(int)a[j * 64 + t + 64] & 7] += c;
    s += sqrtf(c);
  }
  for (int k = 0; k < 9; ++k) b[t * 9 + k] = v[k] + s;
}
