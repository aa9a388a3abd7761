// Slots of local memory that are each work-item's own, and a tile that they share.

__kernel void slots(__global const float* a, __global float* out, int n) {
  __local float own[256 * 8];  // expect: RP801 @17 "its own 8 elements"
  int l = get_local_id(0);
  for (int k = 0; k < 8; ++k) own[l * 8 + k] = a[k * n + get_global_id(0)];
  float s = 0.0f;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < 8; ++k) {
      own[l * 8 + k] = own[l * 8 + k] * 0.5f + s;
      s += own[l * 8 + k];
    }
  }
  out[get_global_id(0)] = s;
}

__kernel void shared_tile(__global const float* a, __global float* out) {
  __local float tile[256];
  int l = get_local_id(0);
  tile[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[255 - l];
}
