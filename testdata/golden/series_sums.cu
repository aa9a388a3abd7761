// N accumulators in a private array, zeroed and added to in a run-time loop with a counted loop inside.

__global__ void column_sums_8(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[8];
  for (int k = 0; k < 8; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 8; k++) h[k] += w * a[r * 8 + k];
  }
  for (int k = 0; k < 8; k++) out[t * 8 + k] = h[k];
}

__global__ void column_sums_16(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[16];
  for (int k = 0; k < 16; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 16; k++) h[k] += w * a[r * 16 + k];
  }
  for (int k = 0; k < 16; k++) out[t * 16 + k] = h[k];
}

__global__ void column_sums_24(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[24];
  for (int k = 0; k < 24; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 24; k++) h[k] += w * a[r * 24 + k];
  }
  for (int k = 0; k < 24; k++) out[t * 24 + k] = h[k];
}

__global__ void column_sums_32(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[32];
  for (int k = 0; k < 32; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 32; k++) h[k] += w * a[r * 32 + k];
  }
  for (int k = 0; k < 32; k++) out[t * 32 + k] = h[k];
}

__global__ void column_sums_40(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[40];
  for (int k = 0; k < 40; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 40; k++) h[k] += w * a[r * 40 + k];
  }
  for (int k = 0; k < 40; k++) out[t * 40 + k] = h[k];
}

__global__ void column_sums_48(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[48];
  for (int k = 0; k < 48; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 48; k++) h[k] += w * a[r * 48 + k];
  }
  for (int k = 0; k < 48; k++) out[t * 48 + k] = h[k];
}

__global__ void column_sums_56(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[56];
  for (int k = 0; k < 56; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 56; k++) h[k] += w * a[r * 56 + k];
  }
  for (int k = 0; k < 56; k++) out[t * 56 + k] = h[k];
}

__global__ void column_sums_64(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[64];
  for (int k = 0; k < 64; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 64; k++) h[k] += w * a[r * 64 + k];
  }
  for (int k = 0; k < 64; k++) out[t * 64 + k] = h[k];
}

__global__ void column_sums_65(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[65];
  for (int k = 0; k < 65; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 65; k++) h[k] += w * a[r * 65 + k];
  }
  for (int k = 0; k < 65; k++) out[t * 65 + k] = h[k];
}

__global__ void column_sums_96(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[96];
  for (int k = 0; k < 96; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 96; k++) h[k] += w * a[r * 96 + k];
  }
  for (int k = 0; k < 96; k++) out[t * 96 + k] = h[k];
}

__global__ void column_sums_100(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[100];
  for (int k = 0; k < 100; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 100; k++) h[k] += w * a[r * 100 + k];
  }
  for (int k = 0; k < 100; k++) out[t * 100 + k] = h[k];
}

__global__ void column_sums_128(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[128];
  for (int k = 0; k < 128; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 128; k++) h[k] += w * a[r * 128 + k];
  }
  for (int k = 0; k < 128; k++) out[t * 128 + k] = h[k];
}

__global__ void column_sums_129(const float* a, const float* weight, float* out, int rows) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[129];
  for (int k = 0; k < 129; k++) h[k] = 0.0f;
  for (int r = t; r < rows; r += 4096) {
    const float w = weight[r];
    for (int k = 0; k < 129; k++) h[k] += w * a[r * 129 + k];
  }
  for (int k = 0; k < 129; k++) out[t * 129 + k] = h[k];
}
