// One file for AMD alone: what nvcc makes of these differs by two registers, and their time was not taken.
// Both in one expression.
__global__ void product_smell(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = sin(a[i]) * cos(a[i]);
}

__global__ void product_repaired(const double* a, double* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s, c;
  sincos(a[i], &s, &c);
  b[i] = s * c;
}
