// Handed to a function that is not inlined and indexed at run time: only both changes together bring registers.
__device__ __attribute__((noinline)) float energy(const float* v) { return v[0] * v[11] + v[5]; }

__global__ void dynamic(const float* a, const int* k, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];  // expect: RP409 info @9 "so it goes to private memory, and it is also indexed at run time"
  for (int j = 0; j < 12; ++j) v[j] = a[j * n + i];
  b[i] = energy(v) + v[k[i]];
}
