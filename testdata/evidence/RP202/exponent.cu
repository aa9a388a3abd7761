// targets: gfx90a, gfx1100, sm_90
// An int exponent that is no constant: nvcc has no overload for it.
// time: integer threads=16777216 n=3
__global__ void integer_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = pow(a[i], n);
}

__global__ void integer_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = pow(a[i], (float)n);
}
