// Literals of type double in OpenCL C.

__kernel void rounded(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s = a[i];
  for (int j = 0; j < m; ++j) s = sqrt(s * 2.0);  // expect: RP202 @35 "because of `2.0`"
  b[i] = s;
}

__kernel void single(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  float s = a[i];
  for (int j = 0; j < m; ++j) s = sqrt(s * 2.0f);
  b[i] = s;
}
