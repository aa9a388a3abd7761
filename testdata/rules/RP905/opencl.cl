// Sixteen consecutive elements of each work-item's own.

__kernel void scaled(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < 16; ++k) b[i * 16 + k] = a[i * 16 + k] * 2.0f;  // expect: RP905 hint "16 consecutive elements" "64 bytes away"
}

__kernel void neighbours(__global const float* a, __global float* b, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < 16; ++k) b[k * n + i] = a[k * n + i] * 2.0f;
}
