// targets: gfx90a, gfx1100, sm_90
// time: channels threads=1048576 size=50331648 m=4 n=1048576
// time: states threads=1048576 size=33554432 m=2 n=1048576
// time: few threads=1048576 size=16777216 m=4 n=1048576
// time: rows threads=1048576 size=16777216 m=4 n=1048576
// time: crowded threads=1048576 size=50331648 m=3 n=1048576
// known miss: channels sm_90: the repaired form has two registers less, which happens to cross a step; LDS did not limit
// Twelve sums of each thread, a column a thread.
__global__ void __launch_bounds__(256) channels_smell(const float* a, float* b, int m, int n) {
  __shared__ float s[12][256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = 0; k < 12; ++k) s[k][t] = 0.0f;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 12; ++k) s[k][t] += a[(j * 12 + k) * n + i];
  }
  for (int k = 0; k < 12; ++k) b[k * n + i] = s[k][t] * s[11 - k][t];
}

__global__ void __launch_bounds__(256) channels_repaired(const float* a, float* b, int m, int n) {
  float s[12];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = 0; k < 12; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 12; ++k) s[k] += a[(j * 12 + k) * n + i];
  }
  for (int k = 0; k < 12; ++k) b[k * n + i] = s[k] * s[11 - k];
}

// Sixteen doubles of each thread in a flat array.
__global__ void __launch_bounds__(256) states_smell(const double* a, double* b, int m, int n) {
  __shared__ double s[16 * 256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = 0; k < 16; ++k) s[k * 256 + t] = a[k * n + i];
  for (int j = 0; j < m; ++j) {
    const double f = a[j * n + i];
    for (int k = 0; k < 16; ++k) s[k * 256 + t] = s[k * 256 + t] * f + 1.0;
  }
  for (int k = 0; k < 16; ++k) b[k * n + i] = s[k * 256 + t];
}

__global__ void __launch_bounds__(256) states_repaired(const double* a, double* b, int m, int n) {
  double s[16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = 0; k < 16; ++k) s[k] = a[k * n + i];
  for (int j = 0; j < m; ++j) {
    const double f = a[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * f + 1.0;
  }
  for (int k = 0; k < 16; ++k) b[k * n + i] = s[k];
}

// Four floats of each thread: LDS does not limit, and nothing is gained.
__global__ void __launch_bounds__(256) few_smell(const float* a, float* b, int m, int n) {
  __shared__ float s[4][256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = 0; k < 4; ++k) s[k][t] = 0.0f;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 4; ++k) s[k][t] += a[(j * 4 + k) * n + i];
  }
  b[i] = s[0][t] * s[1][t] + s[2][t] * s[3][t];
}

__global__ void __launch_bounds__(256) few_repaired(const float* a, float* b, int m, int n) {
  float s[4];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = 0; k < 4; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 4; ++k) s[k] += a[(j * 4 + k) * n + i];
  }
  b[i] = s[0] * s[1] + s[2] * s[3];
}

// A row of 13 floats a thread, of which the last is there for the banks' sake.
__global__ void __launch_bounds__(256) rows_smell(const float* a, float* b, int m, int n) {
  __shared__ float s[256 * 13];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = 0; k < 12; ++k) s[t * 13 + k] = a[k * n + i];
  float low = s[t * 13], sum = 0.0f;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 12; ++k) low = fminf(low, s[t * 13 + k] + a[j * n + i]);
    sum += low;
  }
  for (int k = 0; k < 12; ++k) b[k * n + i] = s[t * 13 + k] * sum;
}

__global__ void __launch_bounds__(256) rows_repaired(const float* a, float* b, int m, int n) {
  float s[12];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  for (int k = 0; k < 12; ++k) s[k] = a[k * n + i];
  float low = s[0], sum = 0.0f;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 12; ++k) low = fminf(low, s[k] + a[j * n + i]);
    sum += low;
  }
  for (int k = 0; k < 12; ++k) b[k * n + i] = s[k] * sum;
}

// The thread holds 24 other sums: on sm_90 registers limit either way.
__global__ void __launch_bounds__(256) crowded_smell(const float* a, float* b, int m, int n) {
  __shared__ float s[24][256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  float sum[24];
  for (int k = 0; k < 24; ++k) {
    sum[k] = 0.0f;
    s[k][t] = a[k * n + i];
  }
  for (int j = 0; j < m; ++j) {
    const float x = a[j * n + i];
    for (int k = 0; k < 24; ++k) sum[k] = sum[k] * x + s[k][t];
  }
  for (int k = 0; k < 24; ++k) b[k * n + i] = sum[k];
}

__global__ void __launch_bounds__(256) crowded_repaired(const float* a, float* b, int m, int n) {
  float s[24];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  float sum[24];
  for (int k = 0; k < 24; ++k) {
    sum[k] = 0.0f;
    s[k] = a[k * n + i];
  }
  for (int j = 0; j < m; ++j) {
    const float x = a[j * n + i];
    for (int k = 0; k < 24; ++k) sum[k] = sum[k] * x + s[k];
  }
  for (int k = 0; k < 24; ++k) b[k * n + i] = sum[k];
}
