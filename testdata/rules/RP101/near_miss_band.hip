// All of the band is below the cap.
#include <hip/hip_runtime.h>

__global__ void sums(const float* a, float* b, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f, s4 = 0.0f, s5 = 0.0f, s6 = 0.0f, s7 = 0.0f,
    s8 = 0.0f, s9 = 0.0f, s10 = 0.0f, s11 = 0.0f, s12 = 0.0f, s13 = 0.0f, s14 = 0.0f, s15 = 0.0f,
    s16 = 0.0f, s17 = 0.0f, s18 = 0.0f, s19 = 0.0f, s20 = 0.0f, s21 = 0.0f, s22 = 0.0f, s23 = 0.0f,
    s24 = 0.0f, s25 = 0.0f, s26 = 0.0f, s27 = 0.0f, s28 = 0.0f, s29 = 0.0f, s30 = 0.0f, s31 = 0.0f,
    s32 = 0.0f, s33 = 0.0f, s34 = 0.0f, s35 = 0.0f, s36 = 0.0f, s37 = 0.0f, s38 = 0.0f, s39 = 0.0f,
    s40 = 0.0f, s41 = 0.0f, s42 = 0.0f, s43 = 0.0f, s44 = 0.0f, s45 = 0.0f, s46 = 0.0f, s47 = 0.0f;
  for (int j = 0; j < m; ++j) {
    const float v = a[j * n + i];
    s0 += v * (s0 + 0.5f);
    s1 += v * (s1 + 1.5f);
    s2 += v * (s2 + 2.5f);
    s3 += v * (s3 + 3.5f);
    s4 += v * (s4 + 4.5f);
    s5 += v * (s5 + 5.5f);
    s6 += v * (s6 + 6.5f);
    s7 += v * (s7 + 7.5f);
    s8 += v * (s8 + 8.5f);
    s9 += v * (s9 + 9.5f);
    s10 += v * (s10 + 10.5f);
    s11 += v * (s11 + 11.5f);
    s12 += v * (s12 + 12.5f);
    s13 += v * (s13 + 13.5f);
    s14 += v * (s14 + 14.5f);
    s15 += v * (s15 + 15.5f);
    s16 += v * (s16 + 16.5f);
    s17 += v * (s17 + 17.5f);
    s18 += v * (s18 + 18.5f);
    s19 += v * (s19 + 19.5f);
    s20 += v * (s20 + 20.5f);
    s21 += v * (s21 + 21.5f);
    s22 += v * (s22 + 22.5f);
    s23 += v * (s23 + 23.5f);
    s24 += v * (s24 + 24.5f);
    s25 += v * (s25 + 25.5f);
    s26 += v * (s26 + 26.5f);
    s27 += v * (s27 + 27.5f);
    s28 += v * (s28 + 28.5f);
    s29 += v * (s29 + 29.5f);
    s30 += v * (s30 + 30.5f);
    s31 += v * (s31 + 31.5f);
    s32 += v * (s32 + 32.5f);
    s33 += v * (s33 + 33.5f);
    s34 += v * (s34 + 34.5f);
    s35 += v * (s35 + 35.5f);
    s36 += v * (s36 + 36.5f);
    s37 += v * (s37 + 37.5f);
    s38 += v * (s38 + 38.5f);
    s39 += v * (s39 + 39.5f);
    s40 += v * (s40 + 40.5f);
    s41 += v * (s41 + 41.5f);
    s42 += v * (s42 + 42.5f);
    s43 += v * (s43 + 43.5f);
    s44 += v * (s44 + 44.5f);
    s45 += v * (s45 + 45.5f);
    s46 += v * (s46 + 46.5f);
    s47 += v * (s47 + 47.5f);
  }
  b[0 * n + i] = s0;
  b[1 * n + i] = s1;
  b[2 * n + i] = s2;
  b[3 * n + i] = s3;
  b[4 * n + i] = s4;
  b[5 * n + i] = s5;
  b[6 * n + i] = s6;
  b[7 * n + i] = s7;
  b[8 * n + i] = s8;
  b[9 * n + i] = s9;
  b[10 * n + i] = s10;
  b[11 * n + i] = s11;
  b[12 * n + i] = s12;
  b[13 * n + i] = s13;
  b[14 * n + i] = s14;
  b[15 * n + i] = s15;
  b[16 * n + i] = s16;
  b[17 * n + i] = s17;
  b[18 * n + i] = s18;
  b[19 * n + i] = s19;
  b[20 * n + i] = s20;
  b[21 * n + i] = s21;
  b[22 * n + i] = s22;
  b[23 * n + i] = s23;
  b[24 * n + i] = s24;
  b[25 * n + i] = s25;
  b[26 * n + i] = s26;
  b[27 * n + i] = s27;
  b[28 * n + i] = s28;
  b[29 * n + i] = s29;
  b[30 * n + i] = s30;
  b[31 * n + i] = s31;
  b[32 * n + i] = s32;
  b[33 * n + i] = s33;
  b[34 * n + i] = s34;
  b[35 * n + i] = s35;
  b[36 * n + i] = s36;
  b[37 * n + i] = s37;
  b[38 * n + i] = s38;
  b[39 * n + i] = s39;
  b[40 * n + i] = s40;
  b[41 * n + i] = s41;
  b[42 * n + i] = s42;
  b[43 * n + i] = s43;
  b[44 * n + i] = s44;
  b[45 * n + i] = s45;
  b[46 * n + i] = s46;
  b[47 * n + i] = s47;
}

void run(const float* a, float* b, int m, int n) { sums<<<n / 256, 256>>>(a, b, m, n); }
