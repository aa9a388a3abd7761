// targets: gfx90a, gfx1100, sm_90
// Weights of a filter: a loop reads them at an index that is the same for all threads.
// time: weights threads=1048576 size=67108864 m=64 n=1048576 first=3
__global__ void weights_smell(const float* a, float* b, int m, int n, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[16] = {
      0.250f, 0.533f, 0.299f, 0.205f, 0.146f, 0.243f, 0.885f, 0.796f, 0.776f, 0.770f, 0.224f, 0.329f, 0.614f,
      0.709f, 0.819f, 0.842f};
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += w[(k + first) & 15] * a[k * n + i];
  b[i] = s;
}

__global__ void weights_repaired(const float* a, float* b, int m, int n, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static const float w[16] = {
      0.250f, 0.533f, 0.299f, 0.205f, 0.146f, 0.243f, 0.885f, 0.796f, 0.776f, 0.770f, 0.224f, 0.329f, 0.614f,
      0.709f, 0.819f, 0.842f};
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += w[(k + first) & 15] * a[k * n + i];
  b[i] = s;
}

// Sixteen words that a loop steps through: nvcc reads four at once, and no frame is left.
// time: fours threads=1048576 size=16777216 m=16 n=1048576
__global__ void fours_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[16] = {
      0.250f, 0.533f, 0.299f, 0.205f, 0.146f, 0.243f, 0.885f, 0.796f, 0.776f, 0.770f, 0.224f, 0.329f, 0.614f,
      0.709f, 0.819f, 0.842f};
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += w[k] * a[k * n + i];
  b[i] = s;
}

__global__ void fours_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static const float w[16] = {
      0.250f, 0.533f, 0.299f, 0.205f, 0.146f, 0.243f, 0.885f, 0.796f, 0.776f, 0.770f, 0.224f, 0.329f, 0.614f,
      0.709f, 0.819f, 0.842f};
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += w[k] * a[k * n + i];
  b[i] = s;
}

// A code book of bytes, read once at what the thread loaded.
// time: codebook threads=8388608
__global__ void codebook_smell(const int* a, int* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char code[64] = {
      12, 78, 44, 86, 50, 65, 32, 23, 32, 61, 36, 12, 71, 39, 1, 38, 74, 91, 40, 98, 66, 25, 53, 55, 77, 37, 56,
      58, 21, 30, 40, 34, 6, 11, 6, 60, 81, 36, 67, 69, 83, 61, 90, 44, 19, 87, 26, 9, 53, 26, 82, 81, 57, 36,
      24, 46, 56, 96, 76, 42, 82, 72, 26, 42};
  b[i] = code[a[i] & 63] + code[(a[i] >> 1) & 63];
}

__global__ void codebook_repaired(const int* a, int* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static const unsigned char code[64] = {
      12, 78, 44, 86, 50, 65, 32, 23, 32, 61, 36, 12, 71, 39, 1, 38, 74, 91, 40, 98, 66, 25, 53, 55, 77, 37, 56,
      58, 21, 30, 40, 34, 6, 11, 6, 60, 81, 36, 67, 69, 83, 61, 90, 44, 19, 87, 26, 9, 53, 26, 82, 81, 57, 36,
      24, 46, 56, 96, 76, 42, 82, 72, 26, 42};
  b[i] = code[a[i] & 63] + code[(a[i] >> 1) & 63];
}

// Read in a loop at an index that differs between the threads: constant memory takes turns.
// time: gather threads=1048576 size=33554432 m=32 n=1048576
__global__ void gather_smell(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[16] = {
      0.141f, 0.105f, 0.256f, 0.739f, 0.604f, 0.264f, 0.348f, 0.210f, 0.463f, 0.089f, 0.678f, 0.856f, 0.909f,
      0.711f, 0.914f, 0.066f};
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += w[a[k * n + i] & 15];
  b[i] = s;
}

__global__ void gather_repaired(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static const float w[16] = {
      0.141f, 0.105f, 0.256f, 0.739f, 0.604f, 0.264f, 0.348f, 0.210f, 0.463f, 0.089f, 0.678f, 0.856f, 0.909f,
      0.711f, 0.914f, 0.066f};
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += w[a[k * n + i] & 15];
  b[i] = s;
}

// Four doubles are enough for a frame.
// time: nodes threads=1048576 size=4194304 m=4 n=1048576
__global__ void nodes_smell(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  constexpr double w[4] = {
      0.310, 0.919, 0.748, 0.419};
  double s = 0.0;
  for (int k = 0; k < m; ++k) s += w[k] * a[k * n + i];
  b[i] = s;
}

__global__ void nodes_repaired(const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static constexpr double w[4] = {
      0.310, 0.919, 0.748, 0.419};
  double s = 0.0;
  for (int k = 0; k < m; ++k) s += w[k] * a[k * n + i];
  b[i] = s;
}

// Filled by assignments: neither compiler sees a table.
// time: assigned threads=4194304
__global__ void assigned_smell(const int* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float w[32];
  w[0] = 0.899f; w[1] = 0.608f; w[2] = 0.786f; w[3] = 0.314f; w[4] = 0.222f; w[5] = 0.450f; w[6] = 0.173f; w[7] = 0.393f;
  w[8] = 0.916f; w[9] = 0.348f; w[10] = 0.058f; w[11] = 0.090f; w[12] = 0.203f; w[13] = 0.755f; w[14] = 0.376f; w[15] = 0.311f;
  w[16] = 0.137f; w[17] = 0.934f; w[18] = 0.432f; w[19] = 0.237f; w[20] = 0.103f; w[21] = 0.100f; w[22] = 0.202f; w[23] = 0.659f;
  w[24] = 0.185f; w[25] = 0.087f; w[26] = 0.492f; w[27] = 0.274f; w[28] = 0.948f; w[29] = 0.160f; w[30] = 0.526f; w[31] = 0.746f;
  b[i] = w[a[i] & 31] + w[(a[i] >> 1) & 31];
}

__global__ void assigned_repaired(const int* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static const float w[32] = {
      0.899f, 0.608f, 0.786f, 0.314f, 0.222f, 0.450f, 0.173f, 0.393f, 0.916f, 0.348f, 0.058f, 0.090f, 0.203f,
      0.755f, 0.376f, 0.311f, 0.137f, 0.934f, 0.432f, 0.237f, 0.103f, 0.100f, 0.202f, 0.659f, 0.185f, 0.087f,
      0.492f, 0.274f, 0.948f, 0.160f, 0.526f, 0.746f};
  b[i] = w[a[i] & 31] + w[(a[i] >> 1) & 31];
}

// Few floats, read once: ptxas selects among registers, there is no frame.
// time: few threads=4194304
__global__ void few_smell(const int* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[6] = {
      0.418f, 0.939f, 0.480f, 0.268f, 0.420f, 0.083f};
  int k = a[i] & 7;
  b[i] = k < 6 ? w[k] : 0.0f;
}

__global__ void few_repaired(const int* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static const float w[6] = {
      0.418f, 0.939f, 0.480f, 0.268f, 0.420f, 0.083f};
  int k = a[i] & 7;
  b[i] = k < 6 ? w[k] : 0.0f;
}

// Constant indices, once the loop is unrolled: folded.
// time: folded threads=1048576 size=16777216 n=1048576
__global__ void folded_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float w[16] = {
      0.429f, 0.274f, 0.850f, 0.798f, 0.499f, 0.078f, 0.279f, 0.268f, 0.237f, 0.258f, 0.833f, 0.178f, 0.096f,
      0.885f, 0.559f, 0.942f};
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[k] * a[k * n + i];
  b[i] = s;
}

__global__ void folded_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static const float w[16] = {
      0.429f, 0.274f, 0.850f, 0.798f, 0.499f, 0.078f, 0.279f, 0.268f, 0.237f, 0.258f, 0.833f, 0.178f, 0.096f,
      0.885f, 0.559f, 0.942f};
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += w[k] * a[k * n + i];
  b[i] = s;
}
