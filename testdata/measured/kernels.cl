// What `measure` is tested with: `python -m tools.measure.measure_fixtures` compiles it for Intel.
__kernel void step(__global float *x, __global const float *y) {
  __local float tile[64];
  int i = get_global_id(0);
  tile[get_local_id(0) & 63] = y[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = tile[(get_local_id(0) + 1) & 63];
}

__kernel void indexed(__global float *x, int n) {
  float v[512];
  for (int j = 0; j < n; ++j) v[j & 511] = x[j];
  x[get_global_id(0)] = v[n & 511];
}

#ifndef SMALL
#define LOAD(i) double v##i = x[i * n + id];
#define MIX(i) v##i = v##i * v17 + x[k] * v##i;
#define STORE(i) x[i * n + id] = v##i;
#define EIGHT(F, i) F(i##0) F(i##1) F(i##2) F(i##3) F(i##4) F(i##5) F(i##6) F(i##7)
#define ALL(F) EIGHT(F, 1) EIGHT(F, 2) EIGHT(F, 3) EIGHT(F, 4) EIGHT(F, 5) EIGHT(F, 6)

__kernel void spills(__global double *x, int n) {
  int id = get_global_id(0);
  ALL(LOAD)
  for (int k = 0; k < n; ++k) {
    ALL(MIX)
  }
  ALL(STORE)
}
#endif
