__kernel void window_smell(__global const float* a, __global float* b, int stride) {
  int i = get_global_id(0);
  volatile float w[32];
  for (int j = 0; j < 32; ++j) w[j] = a[i + j * stride];
  float s = 0.0f;
  for (int j = 0; j < 32; ++j) s += w[j] * w[31 - j];
  b[i] = s;
}

__kernel void window_repaired(__global const float* a, __global float* b, int stride) {
  int i = get_global_id(0);
  float w[32];
  for (int j = 0; j < 32; ++j) w[j] = a[i + j * stride];
  float s = 0.0f;
  for (int j = 0; j < 32; ++j) s += w[j] * w[31 - j];
  b[i] = s;
}
