// A volatile private array; `volatile` in front of what a pointer leads to says nothing about private memory.

__kernel void sums(__global const float* a, __global float* b, int m, int n) {
  int i = get_global_id(0);
  volatile float s[4];  // expect: RP401 warning @3 "private memory on pvc and scratch memory on gfx90a"
  for (int k = 0; k < 4; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) for (int k = 0; k < 4; ++k) s[k] += a[(j * 4 + k) * n + i];
  b[i] = s[0] + s[1] + s[2] + s[3];
}

__kernel void counted(volatile __global int* counts, __local volatile int* own, int n) {
  volatile __local int* mine = own + get_local_id(0);
  *mine = n;
  atomic_add(counts, *mine);
}
