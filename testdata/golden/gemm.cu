// Matrix products: through LDS, through registers, through both, batched, with an epilogue.

__global__ void gemm_naive(const float* a, const float* b, float* c, int m, int n, int k, float alpha, float beta) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

__global__ void gemm_lds16(const float* a, const float* b, float* c, int n) {
  __shared__ float left[16][16], right[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int tile = 0; tile < n; tile += 16) {
    left[ty][tx] = a[row * n + tile + tx];
    right[ty][tx] = b[(tile + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += left[ty][k] * right[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void gemm_double_lds(const double* a, const double* b, double* c, int n) {
  __shared__ double left[16][17], right[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  double sum = 0.0;
  for (int tile = 0; tile < n; tile += 16) {
    left[ty][tx] = a[(blockIdx.y * 16 + ty) * n + tile + tx];
    right[ty][tx] = b[(tile + ty) * n + blockIdx.x * 16 + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) sum += left[ty][k] * right[k][tx];
    __syncthreads();
  }
  c[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] += sum;
}

// 64 x 64 of C a block of 256 threads, 4 x 4 a thread.
__global__ void gemm_block64_thread4(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float left[16][64], right[16][64];
  const int t = threadIdx.x;
  const int tx = t % 16, ty = t / 16;
  const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += 16) {
    for (int i = 0; i < 4; i++) {
      const int at = t + i * 256;
      left[at % 16][at / 16] = a[(row0 + at / 16) * k + k0 + at % 16];
      right[at / 64][at % 64] = b[(k0 + at / 64) * n + column0 + at % 64];
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 16; kk++) {
      float x[4], y[4];
#pragma unroll
      for (int i = 0; i < 4; i++) x[i] = left[kk][ty * 4 + i];
#pragma unroll
      for (int j = 0; j < 4; j++) y[j] = right[kk][tx * 4 + j];
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(row0 + ty * 4 + i) * n + column0 + tx * 4 + j] = acc[i][j];
}

// 128 x 128 a block, 8 x 8 a thread, operands as float4.
__global__ __launch_bounds__(256) void gemm_block128_thread8(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float left[8][128];
  __shared__ float right[8][128];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16;
  const float* from_a = a + (blockIdx.y * 128 + t / 2) * k + (t % 2) * 4;
  const float* from_b = b + (t / 32) * n + blockIdx.x * 128 + (t % 32) * 4;
  float acc[8][8];
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) acc[i][j] = 0.0f;
  for (int k0 = 0; k0 < k; k0 += 8) {
    const float4 va = *reinterpret_cast<const float4*>(from_a);
    const float4 vb = *reinterpret_cast<const float4*>(from_b);
    left[(t % 2) * 4 + 0][t / 2] = va.x;
    left[(t % 2) * 4 + 1][t / 2] = va.y;
    left[(t % 2) * 4 + 2][t / 2] = va.z;
    left[(t % 2) * 4 + 3][t / 2] = va.w;
    *reinterpret_cast<float4*>(&right[t / 32][(t % 32) * 4]) = vb;
    from_a += 8;
    from_b += 8 * n;
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 8; kk++) {
      float x[8], y[8];
#pragma unroll
      for (int i = 0; i < 8; i++) x[i] = left[kk][ty * 8 + i];
#pragma unroll
      for (int j = 0; j < 8; j++) y[j] = right[kk][tx * 8 + j];
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  float* to = c + (blockIdx.y * 128 + ty * 8) * n + blockIdx.x * 128 + tx * 8;
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) to[i * n + j] = acc[i][j];
}

// The next tile is read into registers while this one is multiplied.
__global__ void gemm_prefetch(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float left[2][8][64], right[2][8][64];
  const int t = threadIdx.x, tx = t % 8, ty = t / 8;
  float acc[8][8] = {};
  float next_a[8], next_b[8];
  int now = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    left[0][i][t] = a[(blockIdx.y * 64 + t) * k + i];
    right[0][i][t] = b[i * n + blockIdx.x * 64 + t];
  }
  __syncthreads();
  for (int k0 = 8; k0 <= k; k0 += 8) {
    if (k0 < k) {
#pragma unroll
      for (int i = 0; i < 8; i++) {
        next_a[i] = a[(blockIdx.y * 64 + t) * k + k0 + i];
        next_b[i] = b[(k0 + i) * n + blockIdx.x * 64 + t];
      }
    }
#pragma unroll
    for (int kk = 0; kk < 8; kk++)
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) acc[i][j] += left[now][kk][ty * 8 + i] * right[now][kk][tx * 8 + j];
    now ^= 1;
    if (k0 < k) {
#pragma unroll
      for (int i = 0; i < 8; i++) {
        left[now][i][t] = next_a[i];
        right[now][i][t] = next_b[i];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) c[(blockIdx.y * 64 + ty * 8 + i) * n + blockIdx.x * 64 + tx * 8 + j] = acc[i][j];
}

__global__ void gemv_row(const float* a, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
#pragma unroll 4
  for (int j = 0; j < columns; j++) sum += a[row * columns + j] * x[j];
  y[row] = sum;
}

__global__ void gemm_batched_small(const float* a, const float* b, float* c, int count) {
  const int matrix = blockIdx.x * blockDim.x + threadIdx.x;
  if (matrix >= count) return;
  float x[4][4], y[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      x[i][j] = a[(i * 4 + j) * count + matrix];
      y[i][j] = b[(i * 4 + j) * count + matrix];
    }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      float sum = 0.0f;
      for (int k = 0; k < 4; k++) sum += x[i][k] * y[k][j];
      c[(i * 4 + j) * count + matrix] = sum;
    }
}

__global__ void syrk_update(const double* a, double* c, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column > row || row >= n) return;
  double sum[2] = {0.0, 0.0};
  for (int i = 0; i + 1 < k; i += 2) {
    sum[0] += a[row * k + i] * a[column * k + i];
    sum[1] += a[row * k + i + 1] * a[column * k + i + 1];
  }
  c[row * n + column] -= sum[0] + sum[1];
}

__global__ void gemm_int8(const signed char* a, const signed char* b, int* c, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  int acc[4] = {0, 0, 0, 0};
  for (int i = 0; i < k; i += 4) {
    const char4 left = *reinterpret_cast<const char4*>(a + row * k + i);
#pragma unroll
    for (int j = 0; j < 4; j++) {
      const char4 right = *reinterpret_cast<const char4*>(b + (column + j) * k + i);
      acc[j] += left.x * right.x + left.y * right.y + left.z * right.z + left.w * right.w;
    }
  }
#pragma unroll
  for (int j = 0; j < 4; j++) c[row * n + column + j] = acc[j];
}

__global__ void gemm_bias_gelu(const float* a, const float* b, const float* bias, float* c, int m, int n, int k) {
  __shared__ float left[32][33];
  __shared__ float right[32][33];
  const int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k0 = 0; k0 < k; k0 += 32) {
    for (int i = 0; i < 32; i += 8) {
      const int r = row + i, x = k0 + threadIdx.x;
      left[threadIdx.y + i][threadIdx.x] = r < m && x < k ? a[r * k + x] : 0.0f;
      right[threadIdx.y + i][threadIdx.x] = k0 + threadIdx.y + i < k && column < n ? b[(k0 + threadIdx.y + i) * n + column] : 0.0f;
    }
    __syncthreads();
    for (int x = 0; x < 32; x++)
      for (int i = 0; i < 4; i++) acc[i] += left[threadIdx.y + i * 8][x] * right[x][threadIdx.x];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++) {
    const int r = row + i * 8;
    if (r < m && column < n) {
      const float v = acc[i] + bias[column];
      c[r * n + column] = 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
    }
  }
}
