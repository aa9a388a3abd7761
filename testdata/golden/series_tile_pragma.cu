// Register tiles of N x N with every counted loop unrolled by pragma; operands straight from global memory.

__global__ void tile_pragma_2(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  float acc[2][2];
  #pragma unroll
  for (int i = 0; i < 2; i++) {
    #pragma unroll
    for (int j = 0; j < 2; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[2], right[2];
    #pragma unroll
    for (int i = 0; i < 2; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 2; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 2; i++) {
      #pragma unroll
      for (int j = 0; j < 2; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 2; i++) {
    #pragma unroll
    for (int j = 0; j < 2; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}

__global__ void tile_pragma_3(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 3;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 3;
  float acc[3][3];
  #pragma unroll
  for (int i = 0; i < 3; i++) {
    #pragma unroll
    for (int j = 0; j < 3; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[3], right[3];
    #pragma unroll
    for (int i = 0; i < 3; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 3; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 3; i++) {
      #pragma unroll
      for (int j = 0; j < 3; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 3; i++) {
    #pragma unroll
    for (int j = 0; j < 3; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}

__global__ void tile_pragma_4(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float acc[4][4];
  #pragma unroll
  for (int i = 0; i < 4; i++) {
    #pragma unroll
    for (int j = 0; j < 4; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[4], right[4];
    #pragma unroll
    for (int i = 0; i < 4; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 4; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 4; i++) {
      #pragma unroll
      for (int j = 0; j < 4; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 4; i++) {
    #pragma unroll
    for (int j = 0; j < 4; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}

__global__ void tile_pragma_5(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 5;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 5;
  float acc[5][5];
  #pragma unroll
  for (int i = 0; i < 5; i++) {
    #pragma unroll
    for (int j = 0; j < 5; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[5], right[5];
    #pragma unroll
    for (int i = 0; i < 5; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 5; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 5; i++) {
      #pragma unroll
      for (int j = 0; j < 5; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 5; i++) {
    #pragma unroll
    for (int j = 0; j < 5; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}

__global__ void tile_pragma_6(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 6;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 6;
  float acc[6][6];
  #pragma unroll
  for (int i = 0; i < 6; i++) {
    #pragma unroll
    for (int j = 0; j < 6; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[6], right[6];
    #pragma unroll
    for (int i = 0; i < 6; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 6; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 6; i++) {
      #pragma unroll
      for (int j = 0; j < 6; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 6; i++) {
    #pragma unroll
    for (int j = 0; j < 6; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}

__global__ void tile_pragma_7(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 7;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 7;
  float acc[7][7];
  #pragma unroll
  for (int i = 0; i < 7; i++) {
    #pragma unroll
    for (int j = 0; j < 7; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[7], right[7];
    #pragma unroll
    for (int i = 0; i < 7; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 7; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 7; i++) {
      #pragma unroll
      for (int j = 0; j < 7; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 7; i++) {
    #pragma unroll
    for (int j = 0; j < 7; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}

__global__ void tile_pragma_8(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 8;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  float acc[8][8];
  #pragma unroll
  for (int i = 0; i < 8; i++) {
    #pragma unroll
    for (int j = 0; j < 8; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[8], right[8];
    #pragma unroll
    for (int i = 0; i < 8; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 8; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 8; i++) {
      #pragma unroll
      for (int j = 0; j < 8; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 8; i++) {
    #pragma unroll
    for (int j = 0; j < 8; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}

__global__ void tile_pragma_9(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 9;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 9;
  float acc[9][9];
  #pragma unroll
  for (int i = 0; i < 9; i++) {
    #pragma unroll
    for (int j = 0; j < 9; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[9], right[9];
    #pragma unroll
    for (int i = 0; i < 9; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 9; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 9; i++) {
      #pragma unroll
      for (int j = 0; j < 9; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 9; i++) {
    #pragma unroll
    for (int j = 0; j < 9; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}

__global__ void tile_pragma_10(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 10;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 10;
  float acc[10][10];
  #pragma unroll
  for (int i = 0; i < 10; i++) {
    #pragma unroll
    for (int j = 0; j < 10; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[10], right[10];
    #pragma unroll
    for (int i = 0; i < 10; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 10; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 10; i++) {
      #pragma unroll
      for (int j = 0; j < 10; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 10; i++) {
    #pragma unroll
    for (int j = 0; j < 10; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}

__global__ void tile_pragma_11(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 11;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 11;
  float acc[11][11];
  #pragma unroll
  for (int i = 0; i < 11; i++) {
    #pragma unroll
    for (int j = 0; j < 11; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[11], right[11];
    #pragma unroll
    for (int i = 0; i < 11; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 11; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 11; i++) {
      #pragma unroll
      for (int j = 0; j < 11; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 11; i++) {
    #pragma unroll
    for (int j = 0; j < 11; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}

__global__ void tile_pragma_12(const float* a, const float* b, float* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 12;
  const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 12;
  float acc[12][12];
  #pragma unroll
  for (int i = 0; i < 12; i++) {
    #pragma unroll
    for (int j = 0; j < 12; j++) acc[i][j] = 0.0f;
  }
  for (int k = 0; k < depth; k++) {
    float left[12], right[12];
    #pragma unroll
    for (int i = 0; i < 12; i++) left[i] = a[(row + i) * lda + k];
    #pragma unroll
    for (int j = 0; j < 12; j++) right[j] = b[k * ldb + col + j];
    #pragma unroll
    for (int i = 0; i < 12; i++) {
      #pragma unroll
      for (int j = 0; j < 12; j++) acc[i][j] += left[i] * right[j];
    }
  }
  #pragma unroll
  for (int i = 0; i < 12; i++) {
    #pragma unroll
    for (int j = 0; j < 12; j++) c[(row + i) * ldb + col + j] = acc[i][j];
  }
}
