// targets: gfx90a, sm_90
// Indices of twelve neighbours, kept through a loop.
__global__ void __launch_bounds__(256) neighbours_smell(double* out, const double* f, const double* g, const long* list, long n, int m) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  long at[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) at[k] = list[k * n + i];
  double sum = 0;
  for (int q = 0; q < m; ++q) {
#pragma unroll
    for (int k = 0; k < 12; ++k) sum += f[at[k] + q * n] * g[at[k]] + g[at[k] * 3 + q];
  }
  out[i] = sum;
}

__global__ void __launch_bounds__(256) neighbours_repaired(double* out, const double* f, const double* g, const int* list, int n, int m) {
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

// Sixteen offsets that move with the loop.
__global__ void __launch_bounds__(256) offsets_smell(float* out, const float* f, long n, long s0, long s1, long s2) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  long at[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) at[k] = i * s0 + (k & 3) * s1 + (k >> 2) * s2;
  float sum = 0;
  for (int q = 0; q < 64; ++q) {
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += f[at[k]];
#pragma unroll
    for (int k = 0; k < 16; ++k) at[k] += (q & 3) * s1 + (k & 1);
  }
  out[i] = sum;
}

__global__ void __launch_bounds__(256) offsets_repaired(float* out, const float* f, int n, int s0, int s1, int s2) {
  int i = blockIdx.x * (int)blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) at[k] = i * s0 + (k & 3) * s1 + (k >> 2) * s2;
  float sum = 0;
  for (int q = 0; q < 64; ++q) {
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += f[at[k]];
#pragma unroll
    for (int k = 0; k < 16; ++k) at[k] += (q & 3) * s1 + (k & 1);
  }
  out[i] = sum;
}

// The place of the least value, eight at a time.
// known miss: nearest sm_90: four registers of 44 are fewer than an estimate can tell
__global__ void __launch_bounds__(256) nearest_smell(float* out, const float* f, long n, long s0, long s1) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  long best[8];
  float least[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    best[k] = i;
    least[k] = f[i];
  }
  for (long q = 0; q < n; ++q) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float v = f[q * s0 + k * s1];
      if (v < least[k]) {
        least[k] = v;
        best[k] = q * s0 + k;
      }
    }
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += f[best[k]] * least[k];
  out[i] = sum;
}

__global__ void __launch_bounds__(256) nearest_repaired(float* out, const float* f, int n, int s0, int s1) {
  int i = blockIdx.x * (int)blockDim.x + threadIdx.x;
  int best[8];
  float least[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    best[k] = i;
    least[k] = f[i];
  }
  for (int q = 0; q < n; ++q) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float v = f[q * s0 + k * s1];
      if (v < least[k]) {
        least[k] = v;
        best[k] = q * s0 + k;
      }
    }
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += f[best[k]] * least[k];
  out[i] = sum;
}

// A pitch of 64 bits in a product: nothing is held.
__global__ void __launch_bounds__(256) element_smell(float* out, const float* a, const float* b, long n, long pitch, int m) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i + k * pitch] * b[i * pitch + k] + a[(i + 1) * pitch + k];
  out[i] = sum;
}

__global__ void __launch_bounds__(256) element_repaired(float* out, const float* a, const float* b, int n, int pitch, int m) {
  int i = blockIdx.x * (int)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < m; ++k) sum += a[i + k * pitch] * b[i * pitch + k] + a[(i + 1) * pitch + k];
  out[i] = sum;
}

// Six neighbours of one place: ptxas keeps addresses, and takes more for 32 bits.
__global__ void __launch_bounds__(256) stencil_smell(double* out, const double* a, const double* b, long n, long nx, long ny, int m) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n) return;
  long e = i + 1, w = i - 1, no = i + nx, so = i - nx, up = i + nx * ny, dn = i - nx * ny;
  double sum = 0;
  for (int q = 0; q < m; ++q) sum += a[e] - a[w] + b[no] - b[so] + a[up] * b[dn] + a[i + q];
  out[i] = sum;
}

__global__ void __launch_bounds__(256) stencil_repaired(double* out, const double* a, const double* b, int n, int nx, int ny, int m) {
  int i = blockIdx.x * (int)blockDim.x + threadIdx.x;
  if (i >= n) return;
  int e = i + 1, w = i - 1, no = i + nx, so = i - nx, up = i + nx * ny, dn = i - nx * ny;
  double sum = 0;
  for (int q = 0; q < m; ++q) sum += a[e] - a[w] + b[no] - b[so] + a[up] * b[dn] + a[i + q];
  out[i] = sum;
}

// The strides of a view make its products 64 bits wide.
struct wide_view { const float* data; long pitch, stride; __device__ float operator()(long i, long j) const { return data[i * pitch + j * stride]; } };
struct narrow_view { const float* data; int pitch, stride; __device__ float operator()(int i, int j) const { return data[i * pitch + j * stride]; } };

// known miss: views sm_90: what wants a few registers more than 32 mostly takes 32, and these take 38
__global__ void __launch_bounds__(256) views_smell(float* out, wide_view a, wide_view b, wide_view c, long n, long m) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  float sum = 0;
  for (long k = 1; k < m - 1; ++k) sum += a(i, k) * b(k, j) + a(i + 1, k) * b(k + 1, j) + c(i, k - 1) * c(k + 1, j) + a(i - 1, k) * b(k - 1, j);
  out[i * m + j] = sum;
}

__global__ void __launch_bounds__(256) views_repaired(float* out, narrow_view a, narrow_view b, narrow_view c, int n, int m) {
  int i = blockIdx.x * (int)blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= n) return;
  float sum = 0;
  for (int k = 1; k < m - 1; ++k) sum += a(i, k) * b(k, j) + a(i + 1, k) * b(k + 1, j) + c(i, k - 1) * c(k + 1, j) + a(i - 1, k) * b(k - 1, j);
  out[i * m + j] = sum;
}
