__kernel void march_cl_smell(__global const float* a, __global float* b, int n, int steps) {
  int i = get_global_id(0);
  float s[8];
  for (int j = 0; j < 8; ++j) s[j] = a[i + j * n];
  for (int k = 0; k < steps; ++k) {
    float x = a[i + k];
    for (int j = 0; j < 8; ++j) s[j] = s[j] * x + s[(j + 1) % 8];
    if (s[0] < -1.0f) printf("cell %d, step %d: %f\n", i, k, s[0]);
  }
  for (int j = 0; j < 8; ++j) b[i + j * n] = s[j];
}

__kernel void march_cl_repaired(__global const float* a, __global float* b, int n, int steps) {
  int i = get_global_id(0);
  float s[8];
  for (int j = 0; j < 8; ++j) s[j] = a[i + j * n];
  for (int k = 0; k < steps; ++k) {
    float x = a[i + k];
    for (int j = 0; j < 8; ++j) s[j] = s[j] * x + s[(j + 1) % 8];
  }
  for (int j = 0; j < 8; ++j) b[i + j * n] = s[j];
}
