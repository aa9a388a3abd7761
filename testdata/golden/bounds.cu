// Launch bounds, divergence and barriers.

__global__ __launch_bounds__(256) void bound256(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[40];
#pragma unroll
  for (int k = 0; k < 40; k++) v[k] = a[k * n + i];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 40; k++)
    if (v[k] > v[(k + 7) % 40]) sum += v[k] * v[39 - k];
  b[i] = sum;
}

__global__ __launch_bounds__(1024) void bound1024(const double* a, double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v[40];
#pragma unroll
  for (int k = 0; k < 40; k++) v[k] = a[k * n + i];
  double sum = 0.0;
#pragma unroll
  for (int k = 0; k < 40; k++) sum += v[k] * v[(k * 7 + 3) % 40] - v[39 - k];
#pragma unroll
  for (int k = 0; k < 40; k++) b[k * n + i] = v[k] * sum;
}

__global__ __launch_bounds__(128, 4) void bound128_by4(const float4* a, float4* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v[16];
#pragma unroll
  for (int k = 0; k < 16; k++) v[k] = a[k * n + i];
#pragma unroll
  for (int k = 0; k < 16; k++) {
    v[k].x += v[15 - k].y;
    v[k].z *= v[(k + 3) % 16].w;
  }
#pragma unroll
  for (int k = 0; k < 16; k++) b[k * n + i] = v[k];
}

__global__ void __launch_bounds__(64) bound64_after(const double* a, double* b, double s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x[3] = {a[i], a[n + i], a[2 * n + i]};
  for (int k = 0; k < 10; k++) {
    const double t = x[0] * s + x[1];
    x[0] = x[1] * s - x[2];
    x[1] = x[2] + t;
    x[2] = t * x[0];
  }
  for (int k = 0; k < 3; k++) b[k * n + i] = x[k];
}

__global__ void diverging_work(const float* in, const int* kind, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float y;
  if (kind[i] == 0) {
    y = x;
    for (int k = 0; k < 20; k++) y = y * 0.9f + sqrtf(fabsf(y));
  } else if (kind[i] == 1) {
    float a = x, b = 1.0f, c = 0.0f;
    while (fabsf(a) > 1e-3f) {
      c += a * b;
      b *= 0.5f;
      a *= 0.7f;
    }
    y = c;
  } else {
    y = in[(i + 1) % n] * in[(i + 2) % n] - in[(i + 3) % n];
  }
  out[i] = y;
}

__global__ void early_exits(const float* in, int* out, float limit, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  for (int k = 0; k < steps; k++) {
    if (x > limit) {
      out[i] = k;
      return;
    }
    if (x < -limit) break;
    if (in[(i + k) % n] == 0.0f) continue;
    x += in[(i + k) % n] * 0.01f;
  }
  out[i] = -1;
}

__global__ void phases_with_barriers(const float* in, float* out, int n) {
  __shared__ float a[256], b[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  const float x = in[i], y = in[n + i], z = in[2 * n + i];
  a[t] = x * y;
  b[t] = y * z;
  __syncthreads();
  const float u = a[255 - t] + z, v = b[(t + 17) % 256] - x;
  __syncthreads();
  a[t] = u * v;
  b[t] = u + v;
  __syncthreads();
  const float p = a[(t * 5) % 256], q = b[(t * 3) % 256];
  out[i] = p * x + q * y + u * z + v;
}

__global__ void uniform_and_divergent(const float* table, const float* in, float* out, int rows, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int r = 0; r < rows; r++) {
    const float* row = table + (blockIdx.y * rows + r) * 8;
    const float a = row[0], b = row[1], c = row[2], d = row[3], e = row[4], f = row[5], g = row[6], h = row[7];
    const float x = in[r * n + i];
    sum += ((((((a * x + b) * x + c) * x + d) * x + e) * x + f) * x + g) * x + h;
  }
  out[i] = sum;
}

// Twenty-four loads before a barrier, used after it.
__global__ void held_over_barrier(const float* in, float* out, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[24];
#pragma unroll
  for (int k = 0; k < 24; k++) v[k] = in[k * n + i];
  s[threadIdx.x] = v[0] + v[23];
  __syncthreads();
  const float o = s[255 - threadIdx.x];
#pragma unroll
  for (int k = 0; k < 24; k++) out[k * n + i] = v[k] * o;
}

__global__ void many_pointers(const float* a, const float* b, const float* c, const float* d, const float* e, const float* f,
                              float* u, float* v, float* w, float* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    u[i] = a[i] * b[i] + c[i];
    v[i] = d[i] * e[i] - f[i];
    w[i] = a[i] - d[i];
    x[i] = b[i] * f[i] + c[i] * e[i];
  }
}

__global__ void two_dimensional_launch(const float* in, float* out, int pitch, int w, int h, int d) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  for (int z = blockIdx.z; z < d; z += gridDim.z)
    if (x < w && y < h) out[(static_cast<size_t>(z) * h + y) * pitch + x] = in[(static_cast<size_t>(z) * h + y) * pitch + x] * 2.0f;
}

__global__ __launch_bounds__(256, 2) void accumulate_96(const float* a, const float* b, float* c, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[96];
#pragma unroll
  for (int k = 0; k < 96; k++) acc[k] = 0.0f;
  for (int r = 0; r < n; r++) {
    const float x = a[r * 4096 + t];
#pragma unroll
    for (int k = 0; k < 96; k++) acc[k] += x * b[r * 96 + k];
  }
#pragma unroll
  for (int k = 0; k < 96; k++) c[k * 4096 + t] = acc[k];
}
