// The smallest kernels: copies, maps, gathers. Most real programs have more of these than of any other kind.

__global__ void copy_floats(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void fill_value(int* data, int value, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = value;
}

__global__ void copy_wide(const float4* __restrict__ in, float4* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void scale_offset(float* data, float scale, float offset, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  data[i] = data[i] * scale + offset;
}

__global__ void axpby(const double* x, const double* y, double* z, double a, double b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = a * x[i] + b * y[i];
}

__global__ void gather_rows(const float* table, const int* index, float* out, int width, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (row >= rows || column >= width) return;
  out[row * width + column] = table[static_cast<long long>(index[row]) * width + column];
}

__global__ void scatter_values(const float* in, const unsigned* where, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[where[i]] = in[i];
}

__global__ void clamp_range(const float* in, float* out, float low, float high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = in[i];
    x = x < low ? low : x;
    out[i] = x > high ? high : x;
  }
}

__global__ void interleave(const float* re, const float* im, float2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = make_float2(re[i], im[i]);
}

__global__ void to_bytes(const float* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float x = in[i] * 255.0f + 0.5f;
    out[i] = static_cast<unsigned char>(x < 0.0f ? 0.0f : (x > 255.0f ? 255.0f : x));
  }
}

__global__ void index_of_thread(int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  out[(z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x] = x + 10 * y + 100 * z;
}

__global__ void polynomial8(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float y = 0.0013f;
  y = y * x - 0.0071f;
  y = y * x + 0.0219f;
  y = y * x - 0.0613f;
  y = y * x + 0.1487f;
  y = y * x - 0.3333f;
  y = y * x + 0.7071f;
  y = y * x - 1.0f;
  out[i] = y * x + 0.5f;
}

__global__ void select_three(const int* a, const int* b, const int* c, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int x = a[i], y = b[i], z = c[i];
    const int low = x < y ? x : y, high = x < y ? y : x;
    out[i] = z < low ? low : (z > high ? high : z);
  }
}

__global__ void transpose_naive(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

__global__ void transpose_shared(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
