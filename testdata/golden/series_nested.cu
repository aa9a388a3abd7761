// Two counted loops, one in the other, N x N: a convolution that keeps nothing, and a patch kept whole.

__global__ void patch_3(const float* image, const float* kernel, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += image[(y + i) * pitch + x + j] * kernel[i * 3 + j];
  out[y * pitch + x] = sum;
}

__global__ void patch_5(const float* image, const float* kernel, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) sum += image[(y + i) * pitch + x + j] * kernel[i * 5 + j];
  out[y * pitch + x] = sum;
}

__global__ void patch_7(const float* image, const float* kernel, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++) sum += image[(y + i) * pitch + x + j] * kernel[i * 7 + j];
  out[y * pitch + x] = sum;
}

__global__ void patch_9(const float* image, const float* kernel, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) sum += image[(y + i) * pitch + x + j] * kernel[i * 9 + j];
  out[y * pitch + x] = sum;
}

__global__ void patch_11(const float* image, const float* kernel, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int i = 0; i < 11; i++)
    for (int j = 0; j < 11; j++) sum += image[(y + i) * pitch + x + j] * kernel[i * 11 + j];
  out[y * pitch + x] = sum;
}

__global__ void patch_13(const float* image, const float* kernel, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int i = 0; i < 13; i++)
    for (int j = 0; j < 13; j++) sum += image[(y + i) * pitch + x + j] * kernel[i * 13 + j];
  out[y * pitch + x] = sum;
}

__global__ void patch_16(const float* image, const float* kernel, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++) sum += image[(y + i) * pitch + x + j] * kernel[i * 16 + j];
  out[y * pitch + x] = sum;
}

__global__ void keep_patch_3(const float* image, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float w[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) w[i][j] = image[(y + i) * pitch + x + j];
  float most = 0.0f;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) most = fmaxf(most, fabsf(w[i][j] - w[j][3 - 1 - i]));
  float sum = 0.0f;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += w[i][j] / (most + 1.0f);
  out[y * pitch + x] = sum;
}

__global__ void keep_patch_4(const float* image, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float w[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) w[i][j] = image[(y + i) * pitch + x + j];
  float most = 0.0f;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) most = fmaxf(most, fabsf(w[i][j] - w[j][4 - 1 - i]));
  float sum = 0.0f;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) sum += w[i][j] / (most + 1.0f);
  out[y * pitch + x] = sum;
}

__global__ void keep_patch_5(const float* image, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float w[5][5];
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) w[i][j] = image[(y + i) * pitch + x + j];
  float most = 0.0f;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) most = fmaxf(most, fabsf(w[i][j] - w[j][5 - 1 - i]));
  float sum = 0.0f;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) sum += w[i][j] / (most + 1.0f);
  out[y * pitch + x] = sum;
}

__global__ void keep_patch_6(const float* image, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float w[6][6];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) w[i][j] = image[(y + i) * pitch + x + j];
  float most = 0.0f;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) most = fmaxf(most, fabsf(w[i][j] - w[j][6 - 1 - i]));
  float sum = 0.0f;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) sum += w[i][j] / (most + 1.0f);
  out[y * pitch + x] = sum;
}

__global__ void keep_patch_7(const float* image, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float w[7][7];
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++) w[i][j] = image[(y + i) * pitch + x + j];
  float most = 0.0f;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++) most = fmaxf(most, fabsf(w[i][j] - w[j][7 - 1 - i]));
  float sum = 0.0f;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++) sum += w[i][j] / (most + 1.0f);
  out[y * pitch + x] = sum;
}

__global__ void keep_patch_8(const float* image, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float w[8][8];
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) w[i][j] = image[(y + i) * pitch + x + j];
  float most = 0.0f;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) most = fmaxf(most, fabsf(w[i][j] - w[j][8 - 1 - i]));
  float sum = 0.0f;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) sum += w[i][j] / (most + 1.0f);
  out[y * pitch + x] = sum;
}

__global__ void keep_patch_9(const float* image, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float w[9][9];
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) w[i][j] = image[(y + i) * pitch + x + j];
  float most = 0.0f;
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) most = fmaxf(most, fabsf(w[i][j] - w[j][9 - 1 - i]));
  float sum = 0.0f;
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) sum += w[i][j] / (most + 1.0f);
  out[y * pitch + x] = sum;
}

__global__ void keep_patch_10(const float* image, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float w[10][10];
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++) w[i][j] = image[(y + i) * pitch + x + j];
  float most = 0.0f;
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++) most = fmaxf(most, fabsf(w[i][j] - w[j][10 - 1 - i]));
  float sum = 0.0f;
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++) sum += w[i][j] / (most + 1.0f);
  out[y * pitch + x] = sum;
}

__global__ void keep_patch_11(const float* image, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float w[11][11];
  for (int i = 0; i < 11; i++)
    for (int j = 0; j < 11; j++) w[i][j] = image[(y + i) * pitch + x + j];
  float most = 0.0f;
  for (int i = 0; i < 11; i++)
    for (int j = 0; j < 11; j++) most = fmaxf(most, fabsf(w[i][j] - w[j][11 - 1 - i]));
  float sum = 0.0f;
  for (int i = 0; i < 11; i++)
    for (int j = 0; j < 11; j++) sum += w[i][j] / (most + 1.0f);
  out[y * pitch + x] = sum;
}

__global__ void keep_patch_12(const float* image, float* out, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  float w[12][12];
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) w[i][j] = image[(y + i) * pitch + x + j];
  float most = 0.0f;
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) most = fmaxf(most, fabsf(w[i][j] - w[j][12 - 1 - i]));
  float sum = 0.0f;
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) sum += w[i][j] / (most + 1.0f);
  out[y * pitch + x] = sum;
}
