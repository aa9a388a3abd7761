__kernel void lookup_smell(__global const int* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  const float w[40] = {
      0.413f, 0.861f, 0.639f, 0.762f, 0.720f, 0.495f, 0.134f, 0.240f, 0.836f, 0.860f, 0.882f, 0.353f, 0.641f,
      0.770f, 0.628f, 0.783f, 0.525f, 0.639f, 0.667f, 0.291f, 0.881f, 0.911f, 0.117f, 0.924f, 0.916f, 0.652f,
      0.090f, 0.859f, 0.165f, 0.922f, 0.650f, 0.104f, 0.201f, 0.622f, 0.562f, 0.722f, 0.885f, 0.247f, 0.053f,
      0.880f};
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += w[a[k * n + i] % 40];
  b[i] = s;
}

__kernel void lookup_repaired(__global const int* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  __constant float w[40] = {
      0.413f, 0.861f, 0.639f, 0.762f, 0.720f, 0.495f, 0.134f, 0.240f, 0.836f, 0.860f, 0.882f, 0.353f, 0.641f,
      0.770f, 0.628f, 0.783f, 0.525f, 0.639f, 0.667f, 0.291f, 0.881f, 0.911f, 0.117f, 0.924f, 0.916f, 0.652f,
      0.090f, 0.859f, 0.165f, 0.922f, 0.650f, 0.104f, 0.201f, 0.622f, 0.562f, 0.722f, 0.885f, 0.247f, 0.053f,
      0.880f};
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += w[a[k * n + i] % 40];
  b[i] = s;
}
