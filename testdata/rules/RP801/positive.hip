// Shared arrays of which no thread touches another's slot, where LDS limits the waves of gfx90a.
#include <hip/hip_runtime.h>

constexpr int kBlock = 256;

// A column a thread.
__global__ void __launch_bounds__(kBlock) columns(const float* a, float* b, int m, int n) {
  __shared__ float s[12][kBlock];  // expect: RP801 warning @20 "its own 12 elements of `s`" "12,288 bytes" "8 waves per SIMD fit on gfx90a instead of 5"
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  for (int k = 0; k < 12; ++k) s[k][t] = 0.0f;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 12; ++k) s[k][threadIdx.x] += a[(j * 12 + k) * n + i];
  }
  for (int k = 0; k < 12; ++k) b[k * n + i] = s[k][t] * s[11 - k][t];
}

// A row of 13 floats a thread, one of them for the banks' sake, and a flat array in strides of a block.
__global__ void flat(const float* a, float* b, int m, int n) {
  __shared__ float rows[kBlock * 13];  // expect: RP801 warning "its own 13 elements of `rows`"
  __shared__ float lines[8 * kBlock];  // expect: RP801 warning "its own 8 elements of `lines`"
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  for (int k = 0; k < 12; ++k) rows[t * 13 + k] = a[k * n + i];
  for (int k = 0; k < 8; ++k) lines[k * blockDim.x + t] = a[i];
  float sum = lines[256 * 3 + t];
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 12; ++k) sum = fmaxf(sum, rows[13 * t + k] * lines[t]);
  }
  b[i] = sum;
}

// Two dimensions: both coordinates are needed to tell the threads apart.
__global__ void plane(const float* a, float* b, int m, int n) {
  __shared__ double s[6][16][16];  // expect: RP801 warning "its own 6 elements of `s`"
  const int x = threadIdx.x, y = threadIdx.y, i = (blockIdx.x * 16 + y) * 16 + x;
  for (int k = 0; k < 6; ++k) s[k][y][x] = 0.0;
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < 6; ++k) s[k][y][x] += a[(j * 6 + k) * n + i];
  }
  for (int k = 0; k < 6; ++k) b[k * n + i] = s[k][y][x];
}

// One element a thread takes little: LDS does not limit.
__global__ void one(const float* a, float* b, int m, int n) {
  __shared__ float s[kBlock];  // expect: RP801 hint "its own 1 element of `s`" "would gain no wave"
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  s[t] = 0.0f;
  for (int j = 0; j < m; ++j) s[t] += a[j * n + i];
  b[i] = s[t];
}

void run(const float* a, float* b, int m, int n) {
  columns<<<n / 256, 256>>>(a, b, m, n);
  flat<<<n / 256, 256>>>(a, b, m, n);
  plane<<<n / 256, dim3(16, 16)>>>(a, b, m, n);
  one<<<n / 256, 256>>>(a, b, m, n);
}
