// The same as in again.hip; ptxas does not see the empty assembly.
// 12 floats, made again of operands that the compiler cannot see through.
// time: floats threads=1048576 size=67108864 m=64 n=1048576
__global__ void __launch_bounds__(256) floats_smell(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  float e3 = u1 * 3.5f + u0;
  float e4 = u0 * 4.5f + u1;
  float e5 = u1 * 5.5f + u0;
  float e6 = u0 * 6.5f + u1;
  float e7 = u1 * 7.5f + u0;
  float e8 = u0 * 8.5f + u1;
  float e9 = u1 * 9.5f + u0;
  float e10 = u0 * 10.5f + u1;
  float e11 = u1 * 11.5f + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  float s[36];
  for (int k = 0; k < 36; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 36; ++k) s[k] = s[k] * x + s[(k + 1) % 36];
  }
  float t = u0 + u1;
  t += e0 * s[0];
  t += e1 * s[1];
  t += e2 * s[2];
  t += e3 * s[3];
  t += e4 * s[4];
  t += e5 * s[5];
  t += e6 * s[6];
  t += e7 * s[7];
  t += e8 * s[8];
  t += e9 * s[9];
  t += e10 * s[10];
  t += e11 * s[11];
  for (int k = 12; k < 36; ++k) t += s[k];
  b[i] = t;
}

__global__ void __launch_bounds__(256) floats_repaired(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  float e3 = u1 * 3.5f + u0;
  float e4 = u0 * 4.5f + u1;
  float e5 = u1 * 5.5f + u0;
  float e6 = u0 * 6.5f + u1;
  float e7 = u1 * 7.5f + u0;
  float e8 = u0 * 8.5f + u1;
  float e9 = u1 * 9.5f + u0;
  float e10 = u0 * 10.5f + u1;
  float e11 = u1 * 11.5f + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  float s[36];
  for (int k = 0; k < 36; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 36; ++k) s[k] = s[k] * x + s[(k + 1) % 36];
  }
  float u0x = u0, u1x = u1;
  asm volatile("" : "+f"(u0x), "+f"(u1x));
  float r0 = u0x * 0.5f + u1x;
  float r1 = u1x * 1.5f + u0x;
  float r2 = u0x * 2.5f + u1x;
  float r3 = u1x * 3.5f + u0x;
  float r4 = u0x * 4.5f + u1x;
  float r5 = u1x * 5.5f + u0x;
  float r6 = u0x * 6.5f + u1x;
  float r7 = u1x * 7.5f + u0x;
  float r8 = u0x * 8.5f + u1x;
  float r9 = u1x * 9.5f + u0x;
  float r10 = u0x * 10.5f + u1x;
  float r11 = u1x * 11.5f + u0x;
  float t = u0 + u1;
  t += r0 * s[0];
  t += r1 * s[1];
  t += r2 * s[2];
  t += r3 * s[3];
  t += r4 * s[4];
  t += r5 * s[5];
  t += r6 * s[6];
  t += r7 * s[7];
  t += r8 * s[8];
  t += r9 * s[9];
  t += r10 * s[10];
  t += r11 * s[11];
  for (int k = 12; k < 36; ++k) t += s[k];
  b[i] = t;
}

// 12 doubles, likewise.
// time: doubles threads=1048576 size=67108864 m=64 n=1048576
__global__ void __launch_bounds__(256) doubles_smell(const double* w, const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double u0 = w[i], u1 = w[n + i];
  double e0 = u0 * 0.5 + u1;
  double e1 = u1 * 1.5 + u0;
  double e2 = u0 * 2.5 + u1;
  double e3 = u1 * 3.5 + u0;
  double e4 = u0 * 4.5 + u1;
  double e5 = u1 * 5.5 + u0;
  double e6 = u0 * 6.5 + u1;
  double e7 = u1 * 7.5 + u0;
  double e8 = u0 * 8.5 + u1;
  double e9 = u1 * 9.5 + u0;
  double e10 = u0 * 10.5 + u1;
  double e11 = u1 * 11.5 + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  double s[18];
  for (int k = 0; k < 18; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 18; ++k) s[k] = s[k] * x + s[(k + 1) % 18];
  }
  double t = u0 + u1;
  t += e0 * s[0];
  t += e1 * s[1];
  t += e2 * s[2];
  t += e3 * s[3];
  t += e4 * s[4];
  t += e5 * s[5];
  t += e6 * s[6];
  t += e7 * s[7];
  t += e8 * s[8];
  t += e9 * s[9];
  t += e10 * s[10];
  t += e11 * s[11];
  for (int k = 12; k < 18; ++k) t += s[k];
  b[i] = t;
}

__global__ void __launch_bounds__(256) doubles_repaired(const double* w, const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double u0 = w[i], u1 = w[n + i];
  double e0 = u0 * 0.5 + u1;
  double e1 = u1 * 1.5 + u0;
  double e2 = u0 * 2.5 + u1;
  double e3 = u1 * 3.5 + u0;
  double e4 = u0 * 4.5 + u1;
  double e5 = u1 * 5.5 + u0;
  double e6 = u0 * 6.5 + u1;
  double e7 = u1 * 7.5 + u0;
  double e8 = u0 * 8.5 + u1;
  double e9 = u1 * 9.5 + u0;
  double e10 = u0 * 10.5 + u1;
  double e11 = u1 * 11.5 + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  double s[18];
  for (int k = 0; k < 18; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = a[j * n + i];
    for (int k = 0; k < 18; ++k) s[k] = s[k] * x + s[(k + 1) % 18];
  }
  double u0x = u0, u1x = u1;
  asm volatile("" : "+d"(u0x), "+d"(u1x));
  double r0 = u0x * 0.5 + u1x;
  double r1 = u1x * 1.5 + u0x;
  double r2 = u0x * 2.5 + u1x;
  double r3 = u1x * 3.5 + u0x;
  double r4 = u0x * 4.5 + u1x;
  double r5 = u1x * 5.5 + u0x;
  double r6 = u0x * 6.5 + u1x;
  double r7 = u1x * 7.5 + u0x;
  double r8 = u0x * 8.5 + u1x;
  double r9 = u1x * 9.5 + u0x;
  double r10 = u0x * 10.5 + u1x;
  double r11 = u1x * 11.5 + u0x;
  double t = u0 + u1;
  t += r0 * s[0];
  t += r1 * s[1];
  t += r2 * s[2];
  t += r3 * s[3];
  t += r4 * s[4];
  t += r5 * s[5];
  t += r6 * s[6];
  t += r7 * s[7];
  t += r8 * s[8];
  t += r9 * s[9];
  t += r10 * s[10];
  t += r11 * s[11];
  for (int k = 12; k < 18; ++k) t += s[k];
  b[i] = t;
}

// 12 numbers made of the index, likewise.
// time: integers threads=1048576 size=67108864 m=64 n=1048576
__global__ void __launch_bounds__(256) integers_smell(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[i], u1 = w[n + i];
  int e0 = (i + 1) * (i ^ 3);
  int e1 = (i + 2) * (i ^ 4);
  int e2 = (i + 3) * (i ^ 5);
  int e3 = (i + 4) * (i ^ 6);
  int e4 = (i + 5) * (i ^ 7);
  int e5 = (i + 6) * (i ^ 8);
  int e6 = (i + 7) * (i ^ 9);
  int e7 = (i + 8) * (i ^ 10);
  int e8 = (i + 9) * (i ^ 11);
  int e9 = (i + 10) * (i ^ 12);
  int e10 = (i + 11) * (i ^ 13);
  int e11 = (i + 12) * (i ^ 14);
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  float s[36];
  for (int k = 0; k < 36; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 36; ++k) s[k] = s[k] * x + s[(k + 1) % 36];
  }
  float t = u0 + u1;
  t += e0 * s[0];
  t += e1 * s[1];
  t += e2 * s[2];
  t += e3 * s[3];
  t += e4 * s[4];
  t += e5 * s[5];
  t += e6 * s[6];
  t += e7 * s[7];
  t += e8 * s[8];
  t += e9 * s[9];
  t += e10 * s[10];
  t += e11 * s[11];
  for (int k = 12; k < 36; ++k) t += s[k];
  b[i] = t;
}

__global__ void __launch_bounds__(256) integers_repaired(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[i], u1 = w[n + i];
  int e0 = (i + 1) * (i ^ 3);
  int e1 = (i + 2) * (i ^ 4);
  int e2 = (i + 3) * (i ^ 5);
  int e3 = (i + 4) * (i ^ 6);
  int e4 = (i + 5) * (i ^ 7);
  int e5 = (i + 6) * (i ^ 8);
  int e6 = (i + 7) * (i ^ 9);
  int e7 = (i + 8) * (i ^ 10);
  int e8 = (i + 9) * (i ^ 11);
  int e9 = (i + 10) * (i ^ 12);
  int e10 = (i + 11) * (i ^ 13);
  int e11 = (i + 12) * (i ^ 14);
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  float s[36];
  for (int k = 0; k < 36; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 36; ++k) s[k] = s[k] * x + s[(k + 1) % 36];
  }
  int ix = i;
  asm volatile("" : "+r"(ix));
  int r0 = (ix + 1) * (ix ^ 3);
  int r1 = (ix + 2) * (ix ^ 4);
  int r2 = (ix + 3) * (ix ^ 5);
  int r3 = (ix + 4) * (ix ^ 6);
  int r4 = (ix + 5) * (ix ^ 7);
  int r5 = (ix + 6) * (ix ^ 8);
  int r6 = (ix + 7) * (ix ^ 9);
  int r7 = (ix + 8) * (ix ^ 10);
  int r8 = (ix + 9) * (ix ^ 11);
  int r9 = (ix + 10) * (ix ^ 12);
  int r10 = (ix + 11) * (ix ^ 13);
  int r11 = (ix + 12) * (ix ^ 14);
  float t = u0 + u1;
  t += r0 * s[0];
  t += r1 * s[1];
  t += r2 * s[2];
  t += r3 * s[3];
  t += r4 * s[4];
  t += r5 * s[5];
  t += r6 * s[6];
  t += r7 * s[7];
  t += r8 * s[8];
  t += r9 * s[9];
  t += r10 * s[10];
  t += r11 * s[11];
  for (int k = 12; k < 36; ++k) t += s[k];
  b[i] = t;
}

// Made again as the source says it: the compiler sees that both are one.
// time: merged threads=1048576 size=67108864 m=64 n=1048576
__global__ void __launch_bounds__(256) merged_smell(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  float e3 = u1 * 3.5f + u0;
  float e4 = u0 * 4.5f + u1;
  float e5 = u1 * 5.5f + u0;
  float e6 = u0 * 6.5f + u1;
  float e7 = u1 * 7.5f + u0;
  float e8 = u0 * 8.5f + u1;
  float e9 = u1 * 9.5f + u0;
  float e10 = u0 * 10.5f + u1;
  float e11 = u1 * 11.5f + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  float s[36];
  for (int k = 0; k < 36; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 36; ++k) s[k] = s[k] * x + s[(k + 1) % 36];
  }
  float t = u0 + u1;
  t += e0 * s[0];
  t += e1 * s[1];
  t += e2 * s[2];
  t += e3 * s[3];
  t += e4 * s[4];
  t += e5 * s[5];
  t += e6 * s[6];
  t += e7 * s[7];
  t += e8 * s[8];
  t += e9 * s[9];
  t += e10 * s[10];
  t += e11 * s[11];
  for (int k = 12; k < 36; ++k) t += s[k];
  b[i] = t;
}

__global__ void __launch_bounds__(256) merged_repaired(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  float e3 = u1 * 3.5f + u0;
  float e4 = u0 * 4.5f + u1;
  float e5 = u1 * 5.5f + u0;
  float e6 = u0 * 6.5f + u1;
  float e7 = u1 * 7.5f + u0;
  float e8 = u0 * 8.5f + u1;
  float e9 = u1 * 9.5f + u0;
  float e10 = u0 * 10.5f + u1;
  float e11 = u1 * 11.5f + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  float s[36];
  for (int k = 0; k < 36; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 36; ++k) s[k] = s[k] * x + s[(k + 1) % 36];
  }
  float r0 = u0 * 0.5f + u1;
  float r1 = u1 * 1.5f + u0;
  float r2 = u0 * 2.5f + u1;
  float r3 = u1 * 3.5f + u0;
  float r4 = u0 * 4.5f + u1;
  float r5 = u1 * 5.5f + u0;
  float r6 = u0 * 6.5f + u1;
  float r7 = u1 * 7.5f + u0;
  float r8 = u0 * 8.5f + u1;
  float r9 = u1 * 9.5f + u0;
  float r10 = u0 * 10.5f + u1;
  float r11 = u1 * 11.5f + u0;
  float t = u0 + u1;
  t += r0 * s[0];
  t += r1 * s[1];
  t += r2 * s[2];
  t += r3 * s[3];
  t += r4 * s[4];
  t += r5 * s[5];
  t += r6 * s[6];
  t += r7 * s[7];
  t += r8 * s[8];
  t += r9 * s[9];
  t += r10 * s[10];
  t += r11 * s[11];
  for (int k = 12; k < 36; ++k) t += s[k];
  b[i] = t;
}

// 20 floats beside 100 sums, in blocks of 1,024 threads.
// time: spilled threads=1048576 size=67108864 m=64 n=1048576
__global__ void __launch_bounds__(1024) spilled_smell(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  float e3 = u1 * 3.5f + u0;
  float e4 = u0 * 4.5f + u1;
  float e5 = u1 * 5.5f + u0;
  float e6 = u0 * 6.5f + u1;
  float e7 = u1 * 7.5f + u0;
  float e8 = u0 * 8.5f + u1;
  float e9 = u1 * 9.5f + u0;
  float e10 = u0 * 10.5f + u1;
  float e11 = u1 * 11.5f + u0;
  float e12 = u0 * 12.5f + u1;
  float e13 = u1 * 13.5f + u0;
  float e14 = u0 * 14.5f + u1;
  float e15 = u1 * 15.5f + u0;
  float e16 = u0 * 16.5f + u1;
  float e17 = u1 * 17.5f + u0;
  float e18 = u0 * 18.5f + u1;
  float e19 = u1 * 19.5f + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  b[12 * n + i] = e12;
  b[13 * n + i] = e13;
  b[14 * n + i] = e14;
  b[15 * n + i] = e15;
  b[16 * n + i] = e16;
  b[17 * n + i] = e17;
  b[18 * n + i] = e18;
  b[19 * n + i] = e19;
  float s[100];
  for (int k = 0; k < 100; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 100; ++k) s[k] = s[k] * x + s[(k + 1) % 100];
  }
  float t = u0 + u1;
  t += e0 * s[0];
  t += e1 * s[1];
  t += e2 * s[2];
  t += e3 * s[3];
  t += e4 * s[4];
  t += e5 * s[5];
  t += e6 * s[6];
  t += e7 * s[7];
  t += e8 * s[8];
  t += e9 * s[9];
  t += e10 * s[10];
  t += e11 * s[11];
  t += e12 * s[12];
  t += e13 * s[13];
  t += e14 * s[14];
  t += e15 * s[15];
  t += e16 * s[16];
  t += e17 * s[17];
  t += e18 * s[18];
  t += e19 * s[19];
  for (int k = 20; k < 100; ++k) t += s[k];
  b[i] = t;
}

__global__ void __launch_bounds__(1024) spilled_repaired(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  float e3 = u1 * 3.5f + u0;
  float e4 = u0 * 4.5f + u1;
  float e5 = u1 * 5.5f + u0;
  float e6 = u0 * 6.5f + u1;
  float e7 = u1 * 7.5f + u0;
  float e8 = u0 * 8.5f + u1;
  float e9 = u1 * 9.5f + u0;
  float e10 = u0 * 10.5f + u1;
  float e11 = u1 * 11.5f + u0;
  float e12 = u0 * 12.5f + u1;
  float e13 = u1 * 13.5f + u0;
  float e14 = u0 * 14.5f + u1;
  float e15 = u1 * 15.5f + u0;
  float e16 = u0 * 16.5f + u1;
  float e17 = u1 * 17.5f + u0;
  float e18 = u0 * 18.5f + u1;
  float e19 = u1 * 19.5f + u0;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  b[3 * n + i] = e3;
  b[4 * n + i] = e4;
  b[5 * n + i] = e5;
  b[6 * n + i] = e6;
  b[7 * n + i] = e7;
  b[8 * n + i] = e8;
  b[9 * n + i] = e9;
  b[10 * n + i] = e10;
  b[11 * n + i] = e11;
  b[12 * n + i] = e12;
  b[13 * n + i] = e13;
  b[14 * n + i] = e14;
  b[15 * n + i] = e15;
  b[16 * n + i] = e16;
  b[17 * n + i] = e17;
  b[18 * n + i] = e18;
  b[19 * n + i] = e19;
  float s[100];
  for (int k = 0; k < 100; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 100; ++k) s[k] = s[k] * x + s[(k + 1) % 100];
  }
  float u0x = u0, u1x = u1;
  asm volatile("" : "+f"(u0x), "+f"(u1x));
  float r0 = u0x * 0.5f + u1x;
  float r1 = u1x * 1.5f + u0x;
  float r2 = u0x * 2.5f + u1x;
  float r3 = u1x * 3.5f + u0x;
  float r4 = u0x * 4.5f + u1x;
  float r5 = u1x * 5.5f + u0x;
  float r6 = u0x * 6.5f + u1x;
  float r7 = u1x * 7.5f + u0x;
  float r8 = u0x * 8.5f + u1x;
  float r9 = u1x * 9.5f + u0x;
  float r10 = u0x * 10.5f + u1x;
  float r11 = u1x * 11.5f + u0x;
  float r12 = u0x * 12.5f + u1x;
  float r13 = u1x * 13.5f + u0x;
  float r14 = u0x * 14.5f + u1x;
  float r15 = u1x * 15.5f + u0x;
  float r16 = u0x * 16.5f + u1x;
  float r17 = u1x * 17.5f + u0x;
  float r18 = u0x * 18.5f + u1x;
  float r19 = u1x * 19.5f + u0x;
  float t = u0 + u1;
  t += r0 * s[0];
  t += r1 * s[1];
  t += r2 * s[2];
  t += r3 * s[3];
  t += r4 * s[4];
  t += r5 * s[5];
  t += r6 * s[6];
  t += r7 * s[7];
  t += r8 * s[8];
  t += r9 * s[9];
  t += r10 * s[10];
  t += r11 * s[11];
  t += r12 * s[12];
  t += r13 * s[13];
  t += r14 * s[14];
  t += r15 * s[15];
  t += r16 * s[16];
  t += r17 * s[17];
  t += r18 * s[18];
  t += r19 * s[19];
  for (int k = 20; k < 100; ++k) t += s[k];
  b[i] = t;
}

// Three of them.
// time: few threads=1048576 size=67108864 m=64 n=1048576
// known miss: few sm_90: 63 to 60 registers are no step, and what else made it faster is not known
__global__ void __launch_bounds__(256) few_smell(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  float s[40];
  for (int k = 0; k < 40; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
  }
  float t = u0 + u1;
  t += e0 * s[0];
  t += e1 * s[1];
  t += e2 * s[2];
  for (int k = 3; k < 40; ++k) t += s[k];
  b[i] = t;
}

__global__ void __launch_bounds__(256) few_repaired(const float* w, const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u0 = w[i], u1 = w[n + i];
  float e0 = u0 * 0.5f + u1;
  float e1 = u1 * 1.5f + u0;
  float e2 = u0 * 2.5f + u1;
  b[0 * n + i] = e0;
  b[1 * n + i] = e1;
  b[2 * n + i] = e2;
  float s[40];
  for (int k = 0; k < 40; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
    for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
  }
  float u0x = u0, u1x = u1;
  asm volatile("" : "+f"(u0x), "+f"(u1x));
  float r0 = u0x * 0.5f + u1x;
  float r1 = u1x * 1.5f + u0x;
  float r2 = u0x * 2.5f + u1x;
  float t = u0 + u1;
  t += r0 * s[0];
  t += r1 * s[1];
  t += r2 * s[2];
  for (int k = 3; k < 40; ++k) t += s[k];
  b[i] = t;
}
