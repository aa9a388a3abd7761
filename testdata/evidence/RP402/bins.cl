// The bins of a histogram of each work-item, as in Intel's guide. The repair: 32-bit elements; and a quarter of them.
__kernel void bins_smell(__global const uint* data, __global uint* out, int m) {
  int i = get_global_id(0);
  ulong bins[32];
  for (int k = 0; k < 32; ++k) bins[k] = 0;
  for (int j = 0; j < m; ++j) bins[data[i * m + j] % 32] += 1;
  for (int k = 0; k < 32; ++k) out[i * 32 + k] = (uint)bins[k];
}

__kernel void bins_repaired(__global const uint* data, __global uint* out, int m) {
  int i = get_global_id(0);
  uint bins[32];
  for (int k = 0; k < 32; ++k) bins[k] = 0;
  for (int j = 0; j < m; ++j) bins[data[i * m + j] % 32] += 1;
  for (int k = 0; k < 32; ++k) out[i * 32 + k] = (uint)bins[k];
}

__kernel void many_smell(__global const uint* data, __global uint* out, int m) {
  int i = get_global_id(0);
  uint bins[128];
  for (int k = 0; k < 128; ++k) bins[k] = 0;
  for (int j = 0; j < m; ++j) bins[data[i * m + j] % 128] += 1;
  for (int k = 0; k < 128; ++k) out[i * 128 + k] = (uint)bins[k];
}

__kernel void many_repaired(__global const uint* data, __global uint* out, int m) {
  int i = get_global_id(0);
  uint bins[32];
  for (int k = 0; k < 32; ++k) bins[k] = 0;
  for (int j = 0; j < m; ++j) bins[data[i * m + j] % 32] += 1;
  for (int k = 0; k < 32; ++k) out[i * 32 + k] = (uint)bins[k];
}
