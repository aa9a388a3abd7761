// 24 pointers in a loop, 48 in two, and 48 in none.
#include <hip/hip_runtime.h>

__global__ __launch_bounds__(256) void few(const float* __restrict__ p0, const float* __restrict__ p1, const float* __restrict__ p2,
                    const float* __restrict__ p3, const float* __restrict__ p4, const float* __restrict__ p5,
                    const float* __restrict__ p6, const float* __restrict__ p7, const float* __restrict__ p8,
                    const float* __restrict__ p9, const float* __restrict__ p10, const float* __restrict__ p11,
                    const float* __restrict__ p12, const float* __restrict__ p13, const float* __restrict__ p14,
                    const float* __restrict__ p15, const float* __restrict__ p16, const float* __restrict__ p17,
                    const float* __restrict__ p18, const float* __restrict__ p19, const float* __restrict__ p20,
                    const float* __restrict__ p21, const float* __restrict__ p22, const float* __restrict__ p23,
                    float* __restrict__ out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < m; ++j) {
      s += p0[i + j * n] + p1[i + j * n] + p2[i + j * n] + p3[i + j * n] + p4[i + j * n] + p5[i + j * n] +
           p6[i + j * n] + p7[i + j * n] + p8[i + j * n] + p9[i + j * n] + p10[i + j * n] + p11[i + j * n] +
           p12[i + j * n] + p13[i + j * n] + p14[i + j * n] + p15[i + j * n] + p16[i + j * n] + p17[i + j * n] +
           p18[i + j * n] + p19[i + j * n] + p20[i + j * n] + p21[i + j * n] + p22[i + j * n] + p23[i + j * n];
  }
  out[i] = s;
}

__global__ __launch_bounds__(256) void halves(const double* __restrict__ p0, const double* __restrict__ p1, const double* __restrict__ p2,
                       const double* __restrict__ p3, const double* __restrict__ p4, const double* __restrict__ p5,
                       const double* __restrict__ p6, const double* __restrict__ p7, const double* __restrict__ p8,
                       const double* __restrict__ p9, const double* __restrict__ p10, const double* __restrict__ p11,
                       const double* __restrict__ p12, const double* __restrict__ p13, const double* __restrict__ p14,
                       const double* __restrict__ p15, const double* __restrict__ p16, const double* __restrict__ p17,
                       const double* __restrict__ p18, const double* __restrict__ p19, const double* __restrict__ p20,
                       const double* __restrict__ p21, const double* __restrict__ p22, const double* __restrict__ p23,
                       const double* __restrict__ p24, const double* __restrict__ p25, const double* __restrict__ p26,
                       const double* __restrict__ p27, const double* __restrict__ p28, const double* __restrict__ p29,
                       const double* __restrict__ p30, const double* __restrict__ p31, const double* __restrict__ p32,
                       const double* __restrict__ p33, const double* __restrict__ p34, const double* __restrict__ p35,
                       const double* __restrict__ p36, const double* __restrict__ p37, const double* __restrict__ p38,
                       const double* __restrict__ p39, const double* __restrict__ p40, const double* __restrict__ p41,
                       const double* __restrict__ p42, const double* __restrict__ p43, const double* __restrict__ p44,
                       const double* __restrict__ p45, const double* __restrict__ p46, const double* __restrict__ p47,
                       double* __restrict__ out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int j = 0; j < m; ++j) {
      s += p0[i + j * n] + p1[i + j * n] + p2[i + j * n] + p3[i + j * n] + p4[i + j * n] + p5[i + j * n] +
           p6[i + j * n] + p7[i + j * n] + p8[i + j * n] + p9[i + j * n] + p10[i + j * n] + p11[i + j * n] +
           p12[i + j * n] + p13[i + j * n] + p14[i + j * n] + p15[i + j * n] + p16[i + j * n] + p17[i + j * n] +
           p18[i + j * n] + p19[i + j * n] + p20[i + j * n] + p21[i + j * n] + p22[i + j * n] + p23[i + j * n];
  }
  for (int j = 0; j < m; ++j) {
      s += p24[i + j * n] + p25[i + j * n] + p26[i + j * n] + p27[i + j * n] + p28[i + j * n] + p29[i + j * n] +
           p30[i + j * n] + p31[i + j * n] + p32[i + j * n] + p33[i + j * n] + p34[i + j * n] + p35[i + j * n] +
           p36[i + j * n] + p37[i + j * n] + p38[i + j * n] + p39[i + j * n] + p40[i + j * n] + p41[i + j * n] +
           p42[i + j * n] + p43[i + j * n] + p44[i + j * n] + p45[i + j * n] + p46[i + j * n] + p47[i + j * n];
  }
  out[i] = s;
}

__global__ __launch_bounds__(256) void once(const float* __restrict__ p0, const float* __restrict__ p1, const float* __restrict__ p2,
                     const float* __restrict__ p3, const float* __restrict__ p4, const float* __restrict__ p5,
                     const float* __restrict__ p6, const float* __restrict__ p7, const float* __restrict__ p8,
                     const float* __restrict__ p9, const float* __restrict__ p10, const float* __restrict__ p11,
                     const float* __restrict__ p12, const float* __restrict__ p13, const float* __restrict__ p14,
                     const float* __restrict__ p15, const float* __restrict__ p16, const float* __restrict__ p17,
                     const float* __restrict__ p18, const float* __restrict__ p19, const float* __restrict__ p20,
                     const float* __restrict__ p21, const float* __restrict__ p22, const float* __restrict__ p23,
                     const float* __restrict__ p24, const float* __restrict__ p25, const float* __restrict__ p26,
                     const float* __restrict__ p27, const float* __restrict__ p28, const float* __restrict__ p29,
                     const float* __restrict__ p30, const float* __restrict__ p31, const float* __restrict__ p32,
                     const float* __restrict__ p33, const float* __restrict__ p34, const float* __restrict__ p35,
                     const float* __restrict__ p36, const float* __restrict__ p37, const float* __restrict__ p38,
                     const float* __restrict__ p39, const float* __restrict__ p40, const float* __restrict__ p41,
                     const float* __restrict__ p42, const float* __restrict__ p43, const float* __restrict__ p44,
                     const float* __restrict__ p45, const float* __restrict__ p46, const float* __restrict__ p47,
                     float* __restrict__ out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  s += p0[i] + p1[i] + p2[i] + p3[i] + p4[i] + p5[i] + p6[i] + p7[i] + p8[i] + p9[i] + p10[i] + p11[i] + p12[i] +
           p13[i] + p14[i] + p15[i] + p16[i] + p17[i] + p18[i] + p19[i] + p20[i] + p21[i] + p22[i] + p23[i] + p24[i] +
           p25[i] + p26[i] + p27[i] + p28[i] + p29[i] + p30[i] + p31[i] + p32[i] + p33[i] + p34[i] + p35[i] + p36[i] +
           p37[i] + p38[i] + p39[i] + p40[i] + p41[i] + p42[i] + p43[i] + p44[i] + p45[i] + p46[i] + p47[i];
  out[i] = s;
}
