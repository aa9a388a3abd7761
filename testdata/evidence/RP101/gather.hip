// targets: gfx90a
// Nodes of an element by an index list: all of it is alive, and clang orders it so that it just fits below the cap. With
// a bound it has no reason to: no spill ends, and a wave is lost.
__global__ void fits_smell(
    const double* __restrict__ x, const double* __restrict__ y, const double* __restrict__ u, const double* __restrict__ v,
    const int* __restrict__ nodes, double* __restrict__ b, double dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int* mine = nodes + 14 * i;
  double px[14], py[14], qx[14], qy[14];
#pragma unroll
  for (int k = 0; k < 14; ++k) {
    px[k] = x[mine[k]];
    py[k] = y[mine[k]];
  }
  double area = 0.0;
#pragma unroll
  for (int k = 0; k < 14; ++k) {
    int l = (k + 1) % 14, m = (k + 3) % 14;
    area += (px[k] - px[l]) * (py[k] - py[m]) - (px[l] - px[m]) * (py[k] - py[l]);
  }
  b[i] = area;
#pragma unroll
  for (int k = 0; k < 14; ++k) {
    qx[k] = u[mine[k]];
    qy[k] = v[mine[k]];
    px[k] -= dt * qx[k];
    py[k] -= dt * qy[k];
  }
  double dx = 0.0, dy = 0.0;
#pragma unroll
  for (int k = 0; k < 14; ++k) {
    int l = (k + 2) % 14, m = (k + 5) % 14;
    double g = py[k] * px[l] - py[l] * px[m];
    dx += g * (qx[k] - qx[m]);
    dy += g * (qy[k] - qy[l]);
  }
  b[i + n] = dx / area;
  b[i + 2 * n] = dy / area;
}

__global__ void __launch_bounds__(256) fits_repaired(
    const double* __restrict__ x, const double* __restrict__ y, const double* __restrict__ u, const double* __restrict__ v,
    const int* __restrict__ nodes, double* __restrict__ b, double dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int* mine = nodes + 14 * i;
  double px[14], py[14], qx[14], qy[14];
#pragma unroll
  for (int k = 0; k < 14; ++k) {
    px[k] = x[mine[k]];
    py[k] = y[mine[k]];
  }
  double area = 0.0;
#pragma unroll
  for (int k = 0; k < 14; ++k) {
    int l = (k + 1) % 14, m = (k + 3) % 14;
    area += (px[k] - px[l]) * (py[k] - py[m]) - (px[l] - px[m]) * (py[k] - py[l]);
  }
  b[i] = area;
#pragma unroll
  for (int k = 0; k < 14; ++k) {
    qx[k] = u[mine[k]];
    qy[k] = v[mine[k]];
    px[k] -= dt * qx[k];
    py[k] -= dt * qy[k];
  }
  double dx = 0.0, dy = 0.0;
#pragma unroll
  for (int k = 0; k < 14; ++k) {
    int l = (k + 2) % 14, m = (k + 5) % 14;
    double g = py[k] * px[l] - py[l] * px[m];
    dx += g * (qx[k] - qx[m]);
    dy += g * (qy[k] - qy[l]);
  }
  b[i + n] = dx / area;
  b[i + 2 * n] = dy / area;
}

void run_fits_smell(const double* x, const int* nodes, double* b, int n) {
  fits_smell<<<n / 256, 256>>>(x, x, x, x, nodes, b, 0.1, n);
}
void run_fits_repaired(const double* x, const int* nodes, double* b, int n) {
  fits_repaired<<<n / 256, 256>>>(x, x, x, x, nodes, b, 0.1, n);
}

// Two nodes more: it spills, and the bound ends that.
__global__ void nodes_smell(
    const double* __restrict__ x, const double* __restrict__ y, const double* __restrict__ u, const double* __restrict__ v,
    const int* __restrict__ nodes, double* __restrict__ b, double dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int* mine = nodes + 16 * i;
  double px[16], py[16], qx[16], qy[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    px[k] = x[mine[k]];
    py[k] = y[mine[k]];
  }
  double area = 0.0;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    int l = (k + 1) % 16, m = (k + 3) % 16;
    area += (px[k] - px[l]) * (py[k] - py[m]) - (px[l] - px[m]) * (py[k] - py[l]);
  }
  b[i] = area;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    qx[k] = u[mine[k]];
    qy[k] = v[mine[k]];
    px[k] -= dt * qx[k];
    py[k] -= dt * qy[k];
  }
  double dx = 0.0, dy = 0.0;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    int l = (k + 2) % 16, m = (k + 5) % 16;
    double g = py[k] * px[l] - py[l] * px[m];
    dx += g * (qx[k] - qx[m]);
    dy += g * (qy[k] - qy[l]);
  }
  b[i + n] = dx / area;
  b[i + 2 * n] = dy / area;
}

__global__ void __launch_bounds__(256) nodes_repaired(
    const double* __restrict__ x, const double* __restrict__ y, const double* __restrict__ u, const double* __restrict__ v,
    const int* __restrict__ nodes, double* __restrict__ b, double dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int* mine = nodes + 16 * i;
  double px[16], py[16], qx[16], qy[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    px[k] = x[mine[k]];
    py[k] = y[mine[k]];
  }
  double area = 0.0;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    int l = (k + 1) % 16, m = (k + 3) % 16;
    area += (px[k] - px[l]) * (py[k] - py[m]) - (px[l] - px[m]) * (py[k] - py[l]);
  }
  b[i] = area;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    qx[k] = u[mine[k]];
    qy[k] = v[mine[k]];
    px[k] -= dt * qx[k];
    py[k] -= dt * qy[k];
  }
  double dx = 0.0, dy = 0.0;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    int l = (k + 2) % 16, m = (k + 5) % 16;
    double g = py[k] * px[l] - py[l] * px[m];
    dx += g * (qx[k] - qx[m]);
    dy += g * (qy[k] - qy[l]);
  }
  b[i + n] = dx / area;
  b[i + 2 * n] = dy / area;
}

void run_nodes_smell(const double* x, const int* nodes, double* b, int n) {
  nodes_smell<<<n / 256, 256>>>(x, x, x, x, nodes, b, 0.1, n);
}
void run_nodes_repaired(const double* x, const int* nodes, double* b, int n) {
  nodes_repaired<<<n / 256, 256>>>(x, x, x, x, nodes, b, 0.1, n);
}
