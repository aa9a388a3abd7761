// 48 pointers in one loop.
#include <hip/hip_runtime.h>

__global__ __launch_bounds__(256) void mixture(const double* __restrict__ p0, const double* __restrict__ p1, const double* __restrict__ p2,
                        const double* __restrict__ p3, const double* __restrict__ p4, const double* __restrict__ p5,
                        const double* __restrict__ p6, const double* __restrict__ p7, const double* __restrict__ p8,
                        const double* __restrict__ p9, const double* __restrict__ p10, const double* __restrict__ p11,
                        const double* __restrict__ p12, const double* __restrict__ p13,
                        const double* __restrict__ p14, const double* __restrict__ p15,
                        const double* __restrict__ p16, const double* __restrict__ p17,
                        const double* __restrict__ p18, const double* __restrict__ p19,
                        const double* __restrict__ p20, const double* __restrict__ p21,
                        const double* __restrict__ p22, const double* __restrict__ p23,
                        const double* __restrict__ p24, const double* __restrict__ p25,
                        const double* __restrict__ p26, const double* __restrict__ p27,
                        const double* __restrict__ p28, const double* __restrict__ p29,
                        const double* __restrict__ p30, const double* __restrict__ p31,
                        const double* __restrict__ p32, const double* __restrict__ p33,
                        const double* __restrict__ p34, const double* __restrict__ p35,
                        const double* __restrict__ p36, const double* __restrict__ p37,
                        const double* __restrict__ p38, const double* __restrict__ p39,
                        const double* __restrict__ p40, const double* __restrict__ p41,
                        const double* __restrict__ p42, const double* __restrict__ p43,
                        const double* __restrict__ p44, const double* __restrict__ p45,
                        const double* __restrict__ p46, const double* __restrict__ p47, double* __restrict__ out,
                        int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  // expect-next-line: RP603 info @3 "48 pointers" "gfx90a"
  for (int j = 0; j < m; ++j) {
      s += p0[i + j * n] + p1[i + j * n] + p2[i + j * n] + p3[i + j * n] + p4[i + j * n] + p5[i + j * n] +
           p6[i + j * n] + p7[i + j * n] + p8[i + j * n] + p9[i + j * n] + p10[i + j * n] + p11[i + j * n] +
           p12[i + j * n] + p13[i + j * n] + p14[i + j * n] + p15[i + j * n] + p16[i + j * n] + p17[i + j * n] +
           p18[i + j * n] + p19[i + j * n] + p20[i + j * n] + p21[i + j * n] + p22[i + j * n] + p23[i + j * n] +
           p24[i + j * n] + p25[i + j * n] + p26[i + j * n] + p27[i + j * n] + p28[i + j * n] + p29[i + j * n] +
           p30[i + j * n] + p31[i + j * n] + p32[i + j * n] + p33[i + j * n] + p34[i + j * n] + p35[i + j * n] +
           p36[i + j * n] + p37[i + j * n] + p38[i + j * n] + p39[i + j * n] + p40[i + j * n] + p41[i + j * n] +
           p42[i + j * n] + p43[i + j * n] + p44[i + j * n] + p45[i + j * n] + p46[i + j * n] + p47[i + j * n];
  }
  out[i] = s;
}
