// Kernels that were read whole, and whose numbers hang on what is not known.
__device__ float known(float x) { return x * 2; }

__global__ void sized(float* a, int n) {
  short g[MAX_LEN];  // expect: RP001 @9 "the size of `g` is not known: `MAX_LEN` is not defined"
  for (int i = 0; i < n; ++i) g[i] = a[i];
  a[0] = g[n];
}

__global__ void called(float* a) {
  a[0] = elsewhere(a[1]);  // expect: RP001 @10 "`elsewhere` is not visible"
}

__global__ void two(float* a, int n) {
  Unseen first;  // expect: RP001 @10 "the type of `first` is not known: `Unseen` is not visible; its header (-I) or a build folder (-p) would tell (and 1 more)"
  a[n] = other(first);
}

__global__ void settled(float* a, int n) {
  float v[4];
  for (int i = 0; i < 4; ++i) v[i] = known(a[i]) + expf(a[i + 4]);
  for (int i = 0; i < 4; ++i) atomicAdd(a + n, v[i]);
}
