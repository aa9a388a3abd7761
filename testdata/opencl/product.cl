// A product of matrices: each work-item makes four rows of four columns.
#define TILE 16

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void product(__global const float* restrict a, __global const float* restrict b, __global float* restrict c, int n) {
  __local float rows[TILE][4 * TILE];
  __local float columns[TILE][4 * TILE];
  const int x = get_local_id(0), y = get_local_id(1);
  float4 sums[4];
  __attribute__((opencl_unroll_hint))
  for (int r = 0; r < 4; ++r) sums[r] = (float4)(0.0f);
  for (int start = 0; start < n; start += TILE) {
    vstore4(vload4(0, a + (get_group_id(1) * TILE + y) * 4 * n + start * 4 + 4 * x), x, rows[y]);
    vstore4(vload4(0, b + (start + y) * n + get_group_id(0) * 4 * TILE + 4 * x), x, columns[y]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) {
      const float4 right = vload4(x, columns[k]), left = vload4(y, rows[k]);
      sums[0] = mad(left.x, right, sums[0]);
      sums[1] = mad(left.y, right, sums[1]);
      sums[2] = mad(left.z, right, sums[2]);
      sums[3] = mad(left.w, right, sums[3]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int r = 0; r < 4; ++r) vstore4(sums[r], get_global_id(0), c + (get_global_id(1) * 4 + r) * n);
}
