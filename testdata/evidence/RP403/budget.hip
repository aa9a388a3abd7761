// targets: gfx90a, gfx1100
// Three histograms of 128 bytes: clang has room for two, unless it knows that blocks are small.
__global__ void several_smell(const int* key, const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double mass[16] = {}, moment[16] = {}, energy[16] = {};
  for (int k = 0; k < m; ++k) {
    int at = key[k * n + i] & 15;
    double x = a[k * n + i];
    mass[at] += 1.0;
    moment[(at + 1) & 15] += x;
    energy[(at + 2) & 15] += x * x;
  }
  double s = 0.0;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += mass[k] * k + moment[k] * (k + 1) + energy[k] * (k + 2);
  b[i] = s;
}

__global__ void __launch_bounds__(256) several_repaired(const int* key, const double* a, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double mass[16] = {}, moment[16] = {}, energy[16] = {};
  for (int k = 0; k < m; ++k) {
    int at = key[k * n + i] & 15;
    double x = a[k * n + i];
    mass[at] += 1.0;
    moment[(at + 1) & 15] += x;
    energy[(at + 2) & 15] += x * x;
  }
  double s = 0.0;
#pragma unroll
  for (int k = 0; k < 16; ++k) s += mass[k] * k + moment[k] * (k + 1) + energy[k] * (k + 2);
  b[i] = s;
}
