// A condition picks the row of a small matrix: comparing each row with it makes every index a constant.
// targets: gfx90a, sm_90
__device__ void solve(double m[4][5], double* x) {
  for (int col = 0; col < 4; ++col) {
    int pivot = col;
    for (int row = col + 1; row < 4; ++row)
      if (fabs(m[row][col]) > fabs(m[pivot][col])) pivot = row;
    for (int k = 0; k < 5; ++k) {
      double held = m[col][k];
      m[col][k] = m[pivot][k];
      m[pivot][k] = held;
    }
    for (int row = col + 1; row < 4; ++row) {
      double factor = m[row][col] / m[col][col];
      for (int k = col; k < 5; ++k) m[row][k] -= factor * m[col][k];
    }
  }
  for (int row = 3; row >= 0; --row) {
    x[row] = m[row][4];
    for (int col = row + 1; col < 4; ++col) x[row] -= m[row][col] * x[col];
    x[row] /= m[row][row];
  }
}

__global__ void systems(const double* __restrict__ in, double* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double rows[4][5];  // expect: RP403 warning "private array `rows`"
  for (int r = 0; r < 4; ++r)
    for (int k = 0; k < 5; ++k) rows[r][k] = in[i * 20 + r * 5 + k];
  double x[4];
  solve(rows, x);
  for (int r = 0; r < 4; ++r) out[i * 4 + r] = x[r];
}

void run(const double* in, double* out, int n) { systems<<<(n + 255) / 256, 256>>>(in, out, n); }
