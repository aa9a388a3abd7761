// A private array of N floats: filled, summed, and gone through a second time.
// One kernel for each N; the compilers' limits for unrolling and promotion lie between them.

__global__ void row_variance_8(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[8];
  for (int k = 0; k < 8; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 8; k++) mean += h[k];
  mean *= 1.0f / 8;
  float square = 0.0f;
  for (int k = 0; k < 8; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 8);
}

__global__ void row_variance_16(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[16];
  for (int k = 0; k < 16; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 16; k++) mean += h[k];
  mean *= 1.0f / 16;
  float square = 0.0f;
  for (int k = 0; k < 16; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 16);
}

__global__ void row_variance_24(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[24];
  for (int k = 0; k < 24; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 24; k++) mean += h[k];
  mean *= 1.0f / 24;
  float square = 0.0f;
  for (int k = 0; k < 24; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 24);
}

__global__ void row_variance_32(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[32];
  for (int k = 0; k < 32; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 32; k++) mean += h[k];
  mean *= 1.0f / 32;
  float square = 0.0f;
  for (int k = 0; k < 32; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 32);
}

__global__ void row_variance_40(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[40];
  for (int k = 0; k < 40; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 40; k++) mean += h[k];
  mean *= 1.0f / 40;
  float square = 0.0f;
  for (int k = 0; k < 40; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 40);
}

__global__ void row_variance_48(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[48];
  for (int k = 0; k < 48; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 48; k++) mean += h[k];
  mean *= 1.0f / 48;
  float square = 0.0f;
  for (int k = 0; k < 48; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 48);
}

__global__ void row_variance_56(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[56];
  for (int k = 0; k < 56; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 56; k++) mean += h[k];
  mean *= 1.0f / 56;
  float square = 0.0f;
  for (int k = 0; k < 56; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 56);
}

__global__ void row_variance_64(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[64];
  for (int k = 0; k < 64; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 64; k++) mean += h[k];
  mean *= 1.0f / 64;
  float square = 0.0f;
  for (int k = 0; k < 64; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 64);
}

__global__ void row_variance_65(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[65];
  for (int k = 0; k < 65; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 65; k++) mean += h[k];
  mean *= 1.0f / 65;
  float square = 0.0f;
  for (int k = 0; k < 65; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 65);
}

__global__ void row_variance_96(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[96];
  for (int k = 0; k < 96; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 96; k++) mean += h[k];
  mean *= 1.0f / 96;
  float square = 0.0f;
  for (int k = 0; k < 96; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 96);
}

__global__ void row_variance_100(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[100];
  for (int k = 0; k < 100; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 100; k++) mean += h[k];
  mean *= 1.0f / 100;
  float square = 0.0f;
  for (int k = 0; k < 100; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 100);
}

__global__ void row_variance_128(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[128];
  for (int k = 0; k < 128; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 128; k++) mean += h[k];
  mean *= 1.0f / 128;
  float square = 0.0f;
  for (int k = 0; k < 128; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 128);
}

__global__ void row_variance_129(const float* rows, float* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float h[129];
  for (int k = 0; k < 129; k++) h[k] = rows[k * stride + t];
  float mean = 0.0f;
  for (int k = 0; k < 129; k++) mean += h[k];
  mean *= 1.0f / 129;
  float square = 0.0f;
  for (int k = 0; k < 129; k++) square += (h[k] - mean) * (h[k] - mean);
  out[t] = square * (1.0f / 129);
}
