// Values held around powers: together with those of the routine they do not fit.
__kernel void held_smell(__global const double* a, __global double* b, int stride, int m) {
  int i = get_global_id(0);
  double s0 = a[i + 0 * stride], s1 = a[i + 1 * stride], s2 = a[i + 2 * stride], s3 = a[i + 3 * stride],
         s4 = a[i + 4 * stride], s5 = a[i + 5 * stride], s6 = a[i + 6 * stride], s7 = a[i + 7 * stride],
         s8 = a[i + 8 * stride], s9 = a[i + 9 * stride], s10 = a[i + 10 * stride], s11 = a[i + 11 * stride],
         s12 = a[i + 12 * stride], s13 = a[i + 13 * stride], s14 = a[i + 14 * stride], s15 = a[i + 15 * stride];
  for (int j = 0; j < m; ++j) {
    s0 += pow(s0, 2.0); s1 += pow(s1, 2.0); s2 += pow(s2, 2.0);
    s3 += pow(s3, 2.0); s4 += pow(s4, 2.0); s5 += pow(s5, 2.0);
    s6 += pow(s6, 2.0); s7 += pow(s7, 2.0); s8 += pow(s8, 2.0);
    s9 += pow(s9, 2.0); s10 += pow(s10, 2.0); s11 += pow(s11, 2.0);
    s12 += pow(s12, 2.0); s13 += pow(s13, 2.0); s14 += pow(s14, 2.0);
    s15 += pow(s15, 2.0);
  }
  b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7
       + s8 + s9 + s10 + s11 + s12 + s13 + s14 + s15;
}

__kernel void held_repaired(__global const double* a, __global double* b, int stride, int m) {
  int i = get_global_id(0);
  double s0 = a[i + 0 * stride], s1 = a[i + 1 * stride], s2 = a[i + 2 * stride], s3 = a[i + 3 * stride],
         s4 = a[i + 4 * stride], s5 = a[i + 5 * stride], s6 = a[i + 6 * stride], s7 = a[i + 7 * stride],
         s8 = a[i + 8 * stride], s9 = a[i + 9 * stride], s10 = a[i + 10 * stride], s11 = a[i + 11 * stride],
         s12 = a[i + 12 * stride], s13 = a[i + 13 * stride], s14 = a[i + 14 * stride], s15 = a[i + 15 * stride];
  for (int j = 0; j < m; ++j) {
    s0 += s0 * s0; s1 += s1 * s1; s2 += s2 * s2;
    s3 += s3 * s3; s4 += s4 * s4; s5 += s5 * s5;
    s6 += s6 * s6; s7 += s7 * s7; s8 += s8 * s8;
    s9 += s9 * s9; s10 += s10 * s10; s11 += s11 * s11;
    s12 += s12 * s12; s13 += s13 * s13; s14 += s14 * s14;
    s15 += s15 * s15;
  }
  b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7
       + s8 + s9 + s10 + s11 + s12 + s13 + s14 + s15;
}

__kernel void whole_smell(__global const float* a, __global float* b, int stride, int m) {
  int i = get_global_id(0);
  float s0 = a[i + 0 * stride], s1 = a[i + 1 * stride], s2 = a[i + 2 * stride], s3 = a[i + 3 * stride],
        s4 = a[i + 4 * stride], s5 = a[i + 5 * stride], s6 = a[i + 6 * stride], s7 = a[i + 7 * stride],
        s8 = a[i + 8 * stride], s9 = a[i + 9 * stride], s10 = a[i + 10 * stride], s11 = a[i + 11 * stride],
        s12 = a[i + 12 * stride], s13 = a[i + 13 * stride], s14 = a[i + 14 * stride], s15 = a[i + 15 * stride],
        s16 = a[i + 16 * stride], s17 = a[i + 17 * stride], s18 = a[i + 18 * stride], s19 = a[i + 19 * stride],
        s20 = a[i + 20 * stride], s21 = a[i + 21 * stride], s22 = a[i + 22 * stride], s23 = a[i + 23 * stride];
  for (int j = 0; j < m; ++j) {
    s0 += pown(s0, 2); s1 += pown(s1, 2); s2 += pown(s2, 2);
    s3 += pown(s3, 2); s4 += pown(s4, 2); s5 += pown(s5, 2);
    s6 += pown(s6, 2); s7 += pown(s7, 2); s8 += pown(s8, 2);
    s9 += pown(s9, 2); s10 += pown(s10, 2); s11 += pown(s11, 2);
    s12 += pown(s12, 2); s13 += pown(s13, 2); s14 += pown(s14, 2);
    s15 += pown(s15, 2); s16 += pown(s16, 2); s17 += pown(s17, 2);
    s18 += pown(s18, 2); s19 += pown(s19, 2); s20 += pown(s20, 2);
    s21 += pown(s21, 2); s22 += pown(s22, 2); s23 += pown(s23, 2);
  }
  b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11
       + s12 + s13 + s14 + s15 + s16 + s17 + s18 + s19 + s20 + s21 + s22 + s23;
}

__kernel void whole_repaired(__global const float* a, __global float* b, int stride, int m) {
  int i = get_global_id(0);
  float s0 = a[i + 0 * stride], s1 = a[i + 1 * stride], s2 = a[i + 2 * stride], s3 = a[i + 3 * stride],
        s4 = a[i + 4 * stride], s5 = a[i + 5 * stride], s6 = a[i + 6 * stride], s7 = a[i + 7 * stride],
        s8 = a[i + 8 * stride], s9 = a[i + 9 * stride], s10 = a[i + 10 * stride], s11 = a[i + 11 * stride],
        s12 = a[i + 12 * stride], s13 = a[i + 13 * stride], s14 = a[i + 14 * stride], s15 = a[i + 15 * stride],
        s16 = a[i + 16 * stride], s17 = a[i + 17 * stride], s18 = a[i + 18 * stride], s19 = a[i + 19 * stride],
        s20 = a[i + 20 * stride], s21 = a[i + 21 * stride], s22 = a[i + 22 * stride], s23 = a[i + 23 * stride];
  for (int j = 0; j < m; ++j) {
    s0 += s0 * s0; s1 += s1 * s1; s2 += s2 * s2;
    s3 += s3 * s3; s4 += s4 * s4; s5 += s5 * s5;
    s6 += s6 * s6; s7 += s7 * s7; s8 += s8 * s8;
    s9 += s9 * s9; s10 += s10 * s10; s11 += s11 * s11;
    s12 += s12 * s12; s13 += s13 * s13; s14 += s14 * s14;
    s15 += s15 * s15; s16 += s16 * s16; s17 += s17 * s17;
    s18 += s18 * s18; s19 += s19 * s19; s20 += s20 * s20;
    s21 += s21 * s21; s22 += s22 * s22; s23 += s23 * s23;
  }
  b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11
       + s12 + s13 + s14 + s15 + s16 + s17 + s18 + s19 + s20 + s21 + s22 + s23;
}
