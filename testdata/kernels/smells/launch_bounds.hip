// Normal equations of a quadratic surface fit for 6 bands: 57 doubles stay live, and no launch bounds.
// launch: block=256 dynamic_lds=0
#include <hip/hip_runtime.h>

// expect-next-line: RP101 @17 "fit_sums"
__global__ void fit_sums(const double* __restrict__ u, const double* __restrict__ v,
                         const double* __restrict__ weight, const double* __restrict__ band,
                         double* __restrict__ sums, int samples, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double a00 = 0.0, a01 = 0.0, a02 = 0.0, a03 = 0.0, a04 = 0.0, a05 = 0.0, a11 = 0.0, a12 = 0.0;
  double a13 = 0.0, a14 = 0.0, a15 = 0.0, a22 = 0.0, a23 = 0.0, a24 = 0.0, a25 = 0.0, a33 = 0.0;
  double a34 = 0.0, a35 = 0.0, a44 = 0.0, a45 = 0.0, a55 = 0.0, r00 = 0.0, r10 = 0.0, r20 = 0.0;
  double r30 = 0.0, r40 = 0.0, r50 = 0.0, r01 = 0.0, r11 = 0.0, r21 = 0.0, r31 = 0.0, r41 = 0.0;
  double r51 = 0.0, r02 = 0.0, r12 = 0.0, r22 = 0.0, r32 = 0.0, r42 = 0.0, r52 = 0.0, r03 = 0.0;
  double r13 = 0.0, r23 = 0.0, r33 = 0.0, r43 = 0.0, r53 = 0.0, r04 = 0.0, r14 = 0.0, r24 = 0.0;
  double r34 = 0.0, r44 = 0.0, r54 = 0.0, r05 = 0.0, r15 = 0.0, r25 = 0.0, r35 = 0.0, r45 = 0.0;
  double r55 = 0.0;
#pragma unroll 1
  for (int k = 0; k < samples; ++k) {  // expect: RP303 info @3 "2 groups of values"
    const int at = k * n + i;
    const double b0 = 1.0, b1 = u[at], b2 = v[at], b3 = b1 * b1, b4 = b1 * b2, b5 = b2 * b2;
    const double w = weight[at];
    const double v0 = w * b0, v1 = w * b1, v2 = w * b2, v3 = w * b3, v4 = w * b4, v5 = w * b5;
    const double s0 = band[(0 * samples + k) * n + i], s1 = band[(1 * samples + k) * n + i];  // expect: RP302 hint @18
    const double s2 = band[(2 * samples + k) * n + i], s3 = band[(3 * samples + k) * n + i];
    const double s4 = band[(4 * samples + k) * n + i], s5 = band[(5 * samples + k) * n + i];
    a00 += v0 * b0; a01 += v0 * b1; a02 += v0 * b2; a03 += v0 * b3; a04 += v0 * b4;
    a05 += v0 * b5; a11 += v1 * b1; a12 += v1 * b2; a13 += v1 * b3; a14 += v1 * b4;
    a15 += v1 * b5; a22 += v2 * b2; a23 += v2 * b3; a24 += v2 * b4; a25 += v2 * b5;
    a33 += v3 * b3; a34 += v3 * b4; a35 += v3 * b5; a44 += v4 * b4; a45 += v4 * b5;
    a55 += v5 * b5; r00 += v0 * s0; r10 += v1 * s0; r20 += v2 * s0; r30 += v3 * s0;
    r40 += v4 * s0; r50 += v5 * s0; r01 += v0 * s1; r11 += v1 * s1; r21 += v2 * s1;
    r31 += v3 * s1; r41 += v4 * s1; r51 += v5 * s1; r02 += v0 * s2; r12 += v1 * s2;
    r22 += v2 * s2; r32 += v3 * s2; r42 += v4 * s2; r52 += v5 * s2; r03 += v0 * s3;
    r13 += v1 * s3; r23 += v2 * s3; r33 += v3 * s3; r43 += v4 * s3; r53 += v5 * s3;
    r04 += v0 * s4; r14 += v1 * s4; r24 += v2 * s4; r34 += v3 * s4; r44 += v4 * s4;
    r54 += v5 * s4; r05 += v0 * s5; r15 += v1 * s5; r25 += v2 * s5; r35 += v3 * s5;
    r45 += v4 * s5; r55 += v5 * s5;
  }
  sums[0 * n + i] = a00; sums[1 * n + i] = a01; sums[2 * n + i] = a02; sums[3 * n + i] = a03;
  sums[4 * n + i] = a04; sums[5 * n + i] = a05; sums[6 * n + i] = a11; sums[7 * n + i] = a12;
  sums[8 * n + i] = a13; sums[9 * n + i] = a14; sums[10 * n + i] = a15; sums[11 * n + i] = a22;
  sums[12 * n + i] = a23; sums[13 * n + i] = a24; sums[14 * n + i] = a25; sums[15 * n + i] = a33;
  sums[16 * n + i] = a34; sums[17 * n + i] = a35; sums[18 * n + i] = a44; sums[19 * n + i] = a45;
  sums[20 * n + i] = a55; sums[21 * n + i] = r00; sums[22 * n + i] = r10; sums[23 * n + i] = r20;
  sums[24 * n + i] = r30; sums[25 * n + i] = r40; sums[26 * n + i] = r50; sums[27 * n + i] = r01;
  sums[28 * n + i] = r11; sums[29 * n + i] = r21; sums[30 * n + i] = r31; sums[31 * n + i] = r41;
  sums[32 * n + i] = r51; sums[33 * n + i] = r02; sums[34 * n + i] = r12; sums[35 * n + i] = r22;
  sums[36 * n + i] = r32; sums[37 * n + i] = r42; sums[38 * n + i] = r52; sums[39 * n + i] = r03;
  sums[40 * n + i] = r13; sums[41 * n + i] = r23; sums[42 * n + i] = r33; sums[43 * n + i] = r43;
  sums[44 * n + i] = r53; sums[45 * n + i] = r04; sums[46 * n + i] = r14; sums[47 * n + i] = r24;
  sums[48 * n + i] = r34; sums[49 * n + i] = r44; sums[50 * n + i] = r54; sums[51 * n + i] = r05;
  sums[52 * n + i] = r15; sums[53 * n + i] = r25; sums[54 * n + i] = r35; sums[55 * n + i] = r45;
  sums[56 * n + i] = r55;
}

void fit(const double* __restrict__ u, const double* __restrict__ v, const double* __restrict__ weight,
         const double* __restrict__ band, double* __restrict__ sums, int samples, int n, hipStream_t stream) {
  fit_sums<<<(n + 255) / 256, 256, 0, stream>>>(u, v, weight, band, sums, samples, n);
}
