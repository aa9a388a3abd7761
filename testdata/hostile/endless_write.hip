// deadline
__global__ void bounds_repaired(const float* a, float* b, int m, int n) {
  for (int j = 0; j < m; ++j) {
    float x = a[j * n];
    for (int k = 0; k < 40; ++k) while (1)  b[k * n + j] = x * a[k];
  }
}
