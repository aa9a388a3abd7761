// A private array of N doubles: filled, a running sum in place, scaled and written back.

__global__ void prefix_double_8(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[8];
  for (int k = 0; k < 8; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 8; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[8 - 1];
  for (int k = 0; k < 8; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_16(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[16];
  for (int k = 0; k < 16; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 16; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[16 - 1];
  for (int k = 0; k < 16; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_24(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[24];
  for (int k = 0; k < 24; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 24; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[24 - 1];
  for (int k = 0; k < 24; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_32(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[32];
  for (int k = 0; k < 32; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 32; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[32 - 1];
  for (int k = 0; k < 32; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_40(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[40];
  for (int k = 0; k < 40; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 40; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[40 - 1];
  for (int k = 0; k < 40; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_48(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[48];
  for (int k = 0; k < 48; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 48; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[48 - 1];
  for (int k = 0; k < 48; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_56(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[56];
  for (int k = 0; k < 56; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 56; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[56 - 1];
  for (int k = 0; k < 56; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_64(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[64];
  for (int k = 0; k < 64; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 64; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[64 - 1];
  for (int k = 0; k < 64; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_65(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[65];
  for (int k = 0; k < 65; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 65; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[65 - 1];
  for (int k = 0; k < 65; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_96(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[96];
  for (int k = 0; k < 96; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 96; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[96 - 1];
  for (int k = 0; k < 96; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_100(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[100];
  for (int k = 0; k < 100; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 100; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[100 - 1];
  for (int k = 0; k < 100; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_128(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[128];
  for (int k = 0; k < 128; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 128; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[128 - 1];
  for (int k = 0; k < 128; k++) out[k * stride + t] = h[k] * scale;
}

__global__ void prefix_double_129(const double* in, double* out, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double h[129];
  for (int k = 0; k < 129; k++) h[k] = in[k * stride + t];
  for (int k = 1; k < 129; k++) h[k] += h[k - 1];
  const double scale = 1.0 / h[129 - 1];
  for (int k = 0; k < 129; k++) out[k * stride + t] = h[k] * scale;
}
