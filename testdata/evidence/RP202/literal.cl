// Values held around exponentials: in double they do not fit.
__kernel void held_smell(__global const float* a, __global float* b, int stride, int m) {
  int i = get_global_id(0);
  float s0 = a[i + 0 * stride], s1 = a[i + 1 * stride], s2 = a[i + 2 * stride], s3 = a[i + 3 * stride],
        s4 = a[i + 4 * stride], s5 = a[i + 5 * stride], s6 = a[i + 6 * stride], s7 = a[i + 7 * stride],
        s8 = a[i + 8 * stride], s9 = a[i + 9 * stride], s10 = a[i + 10 * stride], s11 = a[i + 11 * stride],
        s12 = a[i + 12 * stride], s13 = a[i + 13 * stride], s14 = a[i + 14 * stride], s15 = a[i + 15 * stride],
        s16 = a[i + 16 * stride], s17 = a[i + 17 * stride], s18 = a[i + 18 * stride], s19 = a[i + 19 * stride],
        s20 = a[i + 20 * stride], s21 = a[i + 21 * stride], s22 = a[i + 22 * stride], s23 = a[i + 23 * stride];
  for (int j = 0; j < m; ++j) {
    s0 += exp(-0.5 * s0); s1 += exp(-0.5 * s1); s2 += exp(-0.5 * s2);
    s3 += exp(-0.5 * s3); s4 += exp(-0.5 * s4); s5 += exp(-0.5 * s5);
    s6 += exp(-0.5 * s6); s7 += exp(-0.5 * s7); s8 += exp(-0.5 * s8);
    s9 += exp(-0.5 * s9); s10 += exp(-0.5 * s10); s11 += exp(-0.5 * s11);
    s12 += exp(-0.5 * s12); s13 += exp(-0.5 * s13); s14 += exp(-0.5 * s14);
    s15 += exp(-0.5 * s15); s16 += exp(-0.5 * s16); s17 += exp(-0.5 * s17);
    s18 += exp(-0.5 * s18); s19 += exp(-0.5 * s19); s20 += exp(-0.5 * s20);
    s21 += exp(-0.5 * s21); s22 += exp(-0.5 * s22); s23 += exp(-0.5 * s23);
  }
  b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11
       + s12 + s13 + s14 + s15 + s16 + s17 + s18 + s19 + s20 + s21 + s22 + s23;
}

__kernel void held_repaired(__global const float* a, __global float* b, int stride, int m) {
  int i = get_global_id(0);
  float s0 = a[i + 0 * stride], s1 = a[i + 1 * stride], s2 = a[i + 2 * stride], s3 = a[i + 3 * stride],
        s4 = a[i + 4 * stride], s5 = a[i + 5 * stride], s6 = a[i + 6 * stride], s7 = a[i + 7 * stride],
        s8 = a[i + 8 * stride], s9 = a[i + 9 * stride], s10 = a[i + 10 * stride], s11 = a[i + 11 * stride],
        s12 = a[i + 12 * stride], s13 = a[i + 13 * stride], s14 = a[i + 14 * stride], s15 = a[i + 15 * stride],
        s16 = a[i + 16 * stride], s17 = a[i + 17 * stride], s18 = a[i + 18 * stride], s19 = a[i + 19 * stride],
        s20 = a[i + 20 * stride], s21 = a[i + 21 * stride], s22 = a[i + 22 * stride], s23 = a[i + 23 * stride];
  for (int j = 0; j < m; ++j) {
    s0 += exp(-0.5f * s0); s1 += exp(-0.5f * s1); s2 += exp(-0.5f * s2);
    s3 += exp(-0.5f * s3); s4 += exp(-0.5f * s4); s5 += exp(-0.5f * s5);
    s6 += exp(-0.5f * s6); s7 += exp(-0.5f * s7); s8 += exp(-0.5f * s8);
    s9 += exp(-0.5f * s9); s10 += exp(-0.5f * s10); s11 += exp(-0.5f * s11);
    s12 += exp(-0.5f * s12); s13 += exp(-0.5f * s13); s14 += exp(-0.5f * s14);
    s15 += exp(-0.5f * s15); s16 += exp(-0.5f * s16); s17 += exp(-0.5f * s17);
    s18 += exp(-0.5f * s18); s19 += exp(-0.5f * s19); s20 += exp(-0.5f * s20);
    s21 += exp(-0.5f * s21); s22 += exp(-0.5f * s22); s23 += exp(-0.5f * s23);
  }
  b[i] = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11
       + s12 + s13 + s14 + s15 + s16 + s17 + s18 + s19 + s20 + s21 + s22 + s23;
}
