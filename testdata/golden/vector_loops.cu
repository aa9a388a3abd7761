// Loops that clang for AMD runs as vectors where it may (gfx90a: two numbers of 32 bits): sums of whole numbers, and
// writes that nothing else in the loop can meet. Sums of floats, reads that only some iterations make, and writes that
// another pointer may reach stay as they are.

template <typename T, int N>
__global__ void tile_of_products(const T* a, const T* b, int* c, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int acc[N][N] = {};
  for (int s = 0; s < steps; ++s) {
    T x[N], y[N];
    for (int q = 0; q < N; ++q) x[q] = a[(s * N + q) * 256 + i];
    for (int q = 0; q < N; ++q) y[q] = b[(s * N + q) * 256 + i];
    for (int q = 0; q < N; ++q)
      for (int r = 0; r < N; ++r) acc[q][r] += x[q] * y[r];
  }
  for (int q = 0; q < N; ++q)
    for (int r = 0; r < N; ++r) c[(q * N + r) * 4096 + i] = acc[q][r];
}

template __global__ void tile_of_products<int, 2>(const int*, const int*, int*, int);
template __global__ void tile_of_products<int, 3>(const int*, const int*, int*, int);
template __global__ void tile_of_products<int, 4>(const int*, const int*, int*, int);
template __global__ void tile_of_products<int, 6>(const int*, const int*, int*, int);
template __global__ void tile_of_products<short, 4>(const short*, const short*, int*, int);
template __global__ void tile_of_products<float, 4>(const float*, const float*, int*, int);

__global__ void strided_count(const int* in, int* out, int n, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int found = 0;
  for (int k = 0; k < n; ++k)
    if (in[k * 256 + i] > limit) ++found;
  out[i] = found;
}

__global__ void strided_extremes(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int low = in[i], high = low;
  for (int k = 1; k < n; ++k) {
    low = min(low, in[k * 256 + i]);
    high = max(high, in[k * 256 + i]);
  }
  out[i] = high - low;
}

__global__ void position_of_largest(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int best = 0, place = 0;
  for (int k = 0; k < n; ++k)
    if (in[k * 256 + i] > best) {
      best = in[k * 256 + i];
      place = k;
    }
  out[i] = place;
}

__global__ void counted_sum_256(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 256; ++k) sum += in[k * 256 + i];
  out[i] = sum;
}

__global__ void row_sum_256(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 256; ++k) sum += in[i * 256 + k];
  out[i] = sum;
}

__global__ void scaled_copy(const float* __restrict__ in, float* __restrict__ out, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) out[k * 256 + i] = by * in[k * 256 + i];
}

__global__ void scaled_copy_that_may_overlap(const float* in, float* out, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) out[k * 256 + i] = by * in[k * 256 + i];
}

__global__ void lengths(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) {
    const float a = x[k * 256 + i], b = y[k * 256 + i];
    out[k * 256 + i] = sqrtf(a * a + b * b);
  }
}

__global__ void sum_of_lds(const int* in, int* out, int n) {
  __shared__ int tile[256];
  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += tile[k];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

__global__ void chosen_sum(const int* in, const int* __restrict__ weights, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < n; ++k)
    if (in[k * 256 + i] > 0) sum += weights[k * 256 + i];
  out[i] = sum;
}
