// Shared arrays that threads share, or whose slots no register could be.
#include <hip/hip_runtime.h>

constexpr int kBlock = 256;

// A neighbour's slot is read.
__global__ void mirrored(const float* a, float* b) {
  __shared__ float s[12][kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  for (int k = 0; k < 12; ++k) s[k][t] = a[i];
  __syncthreads();
  for (int k = 0; k < 12; ++k) b[i] += s[k][kBlock - 1 - t];
}

// Two constants of the thread's own subscript: a halo.
__global__ void halo(const float* a, float* b) {
  __shared__ float s[12][kBlock + 2];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  for (int k = 0; k < 12; ++k) s[k][t + 1] = a[i];
  __syncthreads();
  for (int k = 0; k < 12; ++k) b[i] += s[k][t] + s[k][t + 2];
}

// Filled by all threads together.
__global__ void together(const float* a, float* b) {
  __shared__ float s[12 * kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  for (int k = t; k < 12 * kBlock; k += kBlock) s[k] = 0.0f;
  __syncthreads();
  for (int k = 0; k < 12; ++k) s[k * kBlock + t] += a[i];
  for (int k = 0; k < 12; ++k) b[i] += s[k * kBlock + t];
}

// A histogram of each thread: the bin is known only at run time, and a private array would go to scratch.
__global__ void bins(const int* a, int* b, int m) {
  __shared__ int s[16][kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  for (int k = 0; k < 16; ++k) s[k][t] = 0;
  for (int j = 0; j < m; ++j) s[a[j * 256 + i] & 15][t] += 1;
  for (int k = 0; k < 16; ++k) b[i] += s[k][t] * k;
}

// A loop that stays rolled: likewise.
__global__ void rolled(const float* a, float* b, int m) {
  __shared__ float s[12][kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  for (int k = 0; k < m; ++k) s[k][t] = a[i + k];
  for (int k = 0; k < m; ++k) b[i] += s[k][t] * s[m - 1 - k][t];
}

// Rows of 12 that reach into the next thread's row.
__global__ void overlap(const float* a, float* b) {
  __shared__ float s[kBlock * 12 + 1];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  for (int k = 0; k < 13; ++k) s[t * 12 + k] = a[i + k];
  for (int k = 0; k < 13; ++k) b[i] += s[t * 12 + k];
}

// Half a block shares a slot: threads of one x and several y.
__global__ void shared_rows(const float* a, float* b) {
  __shared__ float s[12][128];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + threadIdx.y * 128 + t;
  if (threadIdx.y == 0) {
    for (int k = 0; k < 12; ++k) s[k][t] = a[i];
  }
  __syncthreads();
  for (int k = 0; k < 12; ++k) b[i] += s[k][t];
}

// Two launches, one of them with blocks of two rows.
__global__ void sometimes(const float* a, float* b) {
  __shared__ float s[12][128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  for (int k = 0; k < 12; ++k) s[k][t] = a[i];
  for (int k = 0; k < 12; ++k) b[i] += s[k][t];
}

// The array goes to a function that may do anything, and one to an atomic.
__device__ float total(const float* s);
__global__ void passed(const float* a, float* b) {
  __shared__ float s[12][kBlock];
  __shared__ float u[12][kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  for (int k = 0; k < 12; ++k) s[k][t] = a[i];
  for (int k = 0; k < 12; ++k) atomicAdd(&u[k][t], s[k][t]);
  b[i] = total(&s[0][0]);
}

// A lane's number instead of the thread's: waves share the slots.
__global__ void lanes(const float* a, float* b) {
  __shared__ float s[12][64];
  const int t = threadIdx.x & 63, i = blockIdx.x * kBlock + threadIdx.x;
  for (int k = 0; k < 12; ++k) s[k][t] = a[i];
  for (int k = 0; k < 12; ++k) b[i] += s[k][t];
}

void run(const float* a, const int* c, float* b, int* d, int m, int n) {
  mirrored<<<n, 256>>>(a, b);
  halo<<<n, 256>>>(a, b);
  together<<<n, 256>>>(a, b);
  bins<<<n, 256>>>(c, d, m);
  rolled<<<n, 256>>>(a, b, m);
  overlap<<<n, 256>>>(a, b);
  shared_rows<<<n, dim3(128, 2)>>>(a, b);
  sometimes<<<n, 128>>>(a, b);
  sometimes<<<n, dim3(128, 2)>>>(a, b);
  passed<<<n, 256>>>(a, b);
  lanes<<<n, 256>>>(a, b);
}
