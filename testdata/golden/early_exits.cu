// Counted loops that a `break` may leave, around a private array and without one.

__global__ void break_first(const float* in, float* out, int rounds, int valid) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[24] = {};
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < 24; k++) {
      if (k >= valid) break;
      sum[k] += in[(r * 24 + k) * 1024 + t];
    }
  for (int k = 0; k < 24; k++) out[k * 1024 + t] = sum[k];
}

__global__ void break_last(const float* in, float* out, int rounds, int valid) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[24] = {};
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < 24; k++) {
      sum[k] += in[(r * 24 + k) * 1024 + t];
      if (t + k >= valid) break;
    }
  for (int k = 0; k < 24; k++) out[k * 1024 + t] = sum[k];
}

__global__ void break_on_read(const float* in, const int* stop, float* out, int rounds) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[24] = {};
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < 24; k++) {
      if (stop[k * 1024 + t] > r) break;
      sum[k] += in[(r * 24 + k) * 1024 + t];
    }
  for (int k = 0; k < 24; k++) out[k * 1024 + t] = sum[k];
}

__global__ void break_behind_write(const float* in, float* out, float* log, int rounds, int valid) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[24] = {};
  for (int r = 0; r < rounds; r++)
    for (int k = 0; k < 24; k++) {
      log[(r * 24 + k) * 1024 + t] = sum[k];
      if (k >= valid) break;
      sum[k] += in[(r * 24 + k) * 1024 + t];
    }
  for (int k = 0; k < 24; k++) out[k * 1024 + t] = sum[k];
}

__global__ void break_in_sum(const float* in, float* out, int valid) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 64; k++) {
    if (t + k >= valid) break;
    sum += in[k * 1024 + t] * in[k * 2048 + t];
  }
  out[t] = sum;
}
