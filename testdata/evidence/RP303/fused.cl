// Recurrences over several arrays, each with a result of its own, on Intel.
__kernel void apart_smell(__global const float* a0, __global const float* a1, __global const float* a2, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0f;
  float s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0f;
  float s2[16];
  for (int k = 0; k < 16; ++k) s2[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x0 = a0[j * n + i];
    float x1 = a1[j * n + i];
    float x2 = a2[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 16] + x0;
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 16] + x1;
    for (int k = 0; k < 16; ++k) s2[k] = s2[k] * x2 + s2[(k + 1) % 16] + x2;
  }
  float r0 = 0.0f;
  for (int k = 0; k < 16; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  float r1 = 0.0f;
  for (int k = 0; k < 16; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
  float r2 = 0.0f;
  for (int k = 0; k < 16; ++k) r2 += s2[k];
  b[2 * n + i] = r2;
}

__kernel void apart_repaired(__global const float* a0, __global const float* a1, __global const float* a2, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x0 = a0[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 16] + x0;
  }
  float r0 = 0.0f;
  for (int k = 0; k < 16; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  float s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x1 = a1[j * n + i];
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 16] + x1;
  }
  float r1 = 0.0f;
  for (int k = 0; k < 16; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
  float s2[16];
  for (int k = 0; k < 16; ++k) s2[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x2 = a2[j * n + i];
    for (int k = 0; k < 16; ++k) s2[k] = s2[k] * x2 + s2[(k + 1) % 16] + x2;
  }
  float r2 = 0.0f;
  for (int k = 0; k < 16; ++k) r2 += s2[k];
  b[2 * n + i] = r2;
}

__kernel void wide_smell(__global const float* a0, __global const float* a1, __global const float* a2, __global const float* a3, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0f;
  float s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0f;
  float s2[16];
  for (int k = 0; k < 16; ++k) s2[k] = 0.0f;
  float s3[16];
  for (int k = 0; k < 16; ++k) s3[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x0 = a0[j * n + i];
    float x1 = a1[j * n + i];
    float x2 = a2[j * n + i];
    float x3 = a3[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 16] + x0;
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 16] + x1;
    for (int k = 0; k < 16; ++k) s2[k] = s2[k] * x2 + s2[(k + 1) % 16] + x2;
    for (int k = 0; k < 16; ++k) s3[k] = s3[k] * x3 + s3[(k + 1) % 16] + x3;
  }
  float r0 = 0.0f;
  for (int k = 0; k < 16; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  float r1 = 0.0f;
  for (int k = 0; k < 16; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
  float r2 = 0.0f;
  for (int k = 0; k < 16; ++k) r2 += s2[k];
  b[2 * n + i] = r2;
  float r3 = 0.0f;
  for (int k = 0; k < 16; ++k) r3 += s3[k];
  b[3 * n + i] = r3;
}

__kernel void wide_repaired(__global const float* a0, __global const float* a1, __global const float* a2, __global const float* a3, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s0[16];
  for (int k = 0; k < 16; ++k) s0[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x0 = a0[j * n + i];
    for (int k = 0; k < 16; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 16] + x0;
  }
  float r0 = 0.0f;
  for (int k = 0; k < 16; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  float s1[16];
  for (int k = 0; k < 16; ++k) s1[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x1 = a1[j * n + i];
    for (int k = 0; k < 16; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 16] + x1;
  }
  float r1 = 0.0f;
  for (int k = 0; k < 16; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
  float s2[16];
  for (int k = 0; k < 16; ++k) s2[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x2 = a2[j * n + i];
    for (int k = 0; k < 16; ++k) s2[k] = s2[k] * x2 + s2[(k + 1) % 16] + x2;
  }
  float r2 = 0.0f;
  for (int k = 0; k < 16; ++k) r2 += s2[k];
  b[2 * n + i] = r2;
  float s3[16];
  for (int k = 0; k < 16; ++k) s3[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x3 = a3[j * n + i];
    for (int k = 0; k < 16; ++k) s3[k] = s3[k] * x3 + s3[(k + 1) % 16] + x3;
  }
  float r3 = 0.0f;
  for (int k = 0; k < 16; ++k) r3 += s3[k];
  b[3 * n + i] = r3;
}

__kernel void six_smell(__global const float* a0, __global const float* a1, __global const float* a2, __global const float* a3, __global const float* a4, __global const float* a5, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s0[12];
  for (int k = 0; k < 12; ++k) s0[k] = 0.0f;
  float s1[12];
  for (int k = 0; k < 12; ++k) s1[k] = 0.0f;
  float s2[12];
  for (int k = 0; k < 12; ++k) s2[k] = 0.0f;
  float s3[12];
  for (int k = 0; k < 12; ++k) s3[k] = 0.0f;
  float s4[12];
  for (int k = 0; k < 12; ++k) s4[k] = 0.0f;
  float s5[12];
  for (int k = 0; k < 12; ++k) s5[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x0 = a0[j * n + i];
    float x1 = a1[j * n + i];
    float x2 = a2[j * n + i];
    float x3 = a3[j * n + i];
    float x4 = a4[j * n + i];
    float x5 = a5[j * n + i];
    for (int k = 0; k < 12; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 12] + x0;
    for (int k = 0; k < 12; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 12] + x1;
    for (int k = 0; k < 12; ++k) s2[k] = s2[k] * x2 + s2[(k + 1) % 12] + x2;
    for (int k = 0; k < 12; ++k) s3[k] = s3[k] * x3 + s3[(k + 1) % 12] + x3;
    for (int k = 0; k < 12; ++k) s4[k] = s4[k] * x4 + s4[(k + 1) % 12] + x4;
    for (int k = 0; k < 12; ++k) s5[k] = s5[k] * x5 + s5[(k + 1) % 12] + x5;
  }
  float r0 = 0.0f;
  for (int k = 0; k < 12; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  float r1 = 0.0f;
  for (int k = 0; k < 12; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
  float r2 = 0.0f;
  for (int k = 0; k < 12; ++k) r2 += s2[k];
  b[2 * n + i] = r2;
  float r3 = 0.0f;
  for (int k = 0; k < 12; ++k) r3 += s3[k];
  b[3 * n + i] = r3;
  float r4 = 0.0f;
  for (int k = 0; k < 12; ++k) r4 += s4[k];
  b[4 * n + i] = r4;
  float r5 = 0.0f;
  for (int k = 0; k < 12; ++k) r5 += s5[k];
  b[5 * n + i] = r5;
}

__kernel void six_repaired(__global const float* a0, __global const float* a1, __global const float* a2, __global const float* a3, __global const float* a4, __global const float* a5, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s0[12];
  for (int k = 0; k < 12; ++k) s0[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x0 = a0[j * n + i];
    for (int k = 0; k < 12; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 12] + x0;
  }
  float r0 = 0.0f;
  for (int k = 0; k < 12; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  float s1[12];
  for (int k = 0; k < 12; ++k) s1[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x1 = a1[j * n + i];
    for (int k = 0; k < 12; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 12] + x1;
  }
  float r1 = 0.0f;
  for (int k = 0; k < 12; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
  float s2[12];
  for (int k = 0; k < 12; ++k) s2[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x2 = a2[j * n + i];
    for (int k = 0; k < 12; ++k) s2[k] = s2[k] * x2 + s2[(k + 1) % 12] + x2;
  }
  float r2 = 0.0f;
  for (int k = 0; k < 12; ++k) r2 += s2[k];
  b[2 * n + i] = r2;
  float s3[12];
  for (int k = 0; k < 12; ++k) s3[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x3 = a3[j * n + i];
    for (int k = 0; k < 12; ++k) s3[k] = s3[k] * x3 + s3[(k + 1) % 12] + x3;
  }
  float r3 = 0.0f;
  for (int k = 0; k < 12; ++k) r3 += s3[k];
  b[3 * n + i] = r3;
  float s4[12];
  for (int k = 0; k < 12; ++k) s4[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x4 = a4[j * n + i];
    for (int k = 0; k < 12; ++k) s4[k] = s4[k] * x4 + s4[(k + 1) % 12] + x4;
  }
  float r4 = 0.0f;
  for (int k = 0; k < 12; ++k) r4 += s4[k];
  b[4 * n + i] = r4;
  float s5[12];
  for (int k = 0; k < 12; ++k) s5[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x5 = a5[j * n + i];
    for (int k = 0; k < 12; ++k) s5[k] = s5[k] * x5 + s5[(k + 1) % 12] + x5;
  }
  float r5 = 0.0f;
  for (int k = 0; k < 12; ++k) r5 += s5[k];
  b[5 * n + i] = r5;
}

__kernel void small_smell(__global const float* a0, __global const float* a1, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s0[8];
  for (int k = 0; k < 8; ++k) s0[k] = 0.0f;
  float s1[8];
  for (int k = 0; k < 8; ++k) s1[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x0 = a0[j * n + i];
    float x1 = a1[j * n + i];
    for (int k = 0; k < 8; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 8] + x0;
    for (int k = 0; k < 8; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 8] + x1;
  }
  float r0 = 0.0f;
  for (int k = 0; k < 8; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  float r1 = 0.0f;
  for (int k = 0; k < 8; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
}

__kernel void small_repaired(__global const float* a0, __global const float* a1, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s0[8];
  for (int k = 0; k < 8; ++k) s0[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x0 = a0[j * n + i];
    for (int k = 0; k < 8; ++k) s0[k] = s0[k] * x0 + s0[(k + 1) % 8] + x0;
  }
  float r0 = 0.0f;
  for (int k = 0; k < 8; ++k) r0 += s0[k];
  b[0 * n + i] = r0;
  float s1[8];
  for (int k = 0; k < 8; ++k) s1[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x1 = a1[j * n + i];
    for (int k = 0; k < 8; ++k) s1[k] = s1[k] * x1 + s1[(k + 1) % 8] + x1;
  }
  float r1 = 0.0f;
  for (int k = 0; k < 8; ++k) r1 += s1[k];
  b[1 * n + i] = r1;
}
