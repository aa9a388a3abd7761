// Local memory of a work-group: more than a compute unit of AMD has, and as much.

__kernel void too_much(__global float* b) {  // expect: RP108 error @15 "80,000 bytes of LDS per block, and gfx90a gives at most 65,536"
  __local float tile[20000];
  int l = get_local_id(0);
  tile[l] = b[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[l] = tile[255 - l];
}

__kernel void enough(__global float* b, __local float* given) {
  __local float tile[12000];
  int l = get_local_id(0);
  tile[l] = given[l] = b[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  b[l] = tile[255 - l] + given[255 - l];
}
