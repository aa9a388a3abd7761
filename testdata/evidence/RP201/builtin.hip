// clang's own builtin is folded: nothing to gain, and no finding.
__global__ void builtin_smell(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = __builtin_powi(a[i], 3);
}

__global__ void builtin_repaired(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i];
  b[i] = x * x * x;
}
