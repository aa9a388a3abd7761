// Lattice methods: nine and nineteen populations a cell, spins, cellular automata, phase fields.

__global__ void lbm_d2q9(const float* from, float* to, float omega, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx) return;
  const int cells = nx * ny;
  const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float weight[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
  float f[9], rho = 0.0f, ux = 0.0f, uy = 0.0f;
  for (int k = 0; k < 9; k++) {
    const int sx = (x - dx[k] + nx) % nx, sy = (y - dy[k] + ny) % ny;
    f[k] = from[k * cells + sy * nx + sx];
    rho += f[k];
    ux += dx[k] * f[k];
    uy += dy[k] * f[k];
  }
  ux /= rho;
  uy /= rho;
  const float u2 = 1.5f * (ux * ux + uy * uy);
  for (int k = 0; k < 9; k++) {
    const float cu = 3.0f * (dx[k] * ux + dy[k] * uy);
    const float eq = weight[k] * rho * (1.0f + cu + 0.5f * cu * cu - u2);
    to[k * cells + y * nx + x] = f[k] + omega * (eq - f[k]);
  }
}

__global__ void lbm_d2q9_double(const double* from, double* to, const unsigned char* wall, double omega, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx) return;
  const int n = nx * ny, at = y * nx + x;
  const int e = x + 1 < nx ? at + 1 : at + 1 - nx, w = x > 0 ? at - 1 : at - 1 + nx;
  const int north = y + 1 < ny ? nx : nx - n, south = y > 0 ? -nx : n - nx;
  const double f0 = from[at], f1 = from[n + w], f2 = from[2 * n + at + south], f3 = from[3 * n + e];
  const double f4 = from[4 * n + at + north], f5 = from[5 * n + w + south], f6 = from[6 * n + e + south];
  const double f7 = from[7 * n + e + north], f8 = from[8 * n + w + north];
  if (wall[at]) {
    to[at] = f0;
    to[n + at] = f3;
    to[2 * n + at] = f4;
    to[3 * n + at] = f1;
    to[4 * n + at] = f2;
    to[5 * n + at] = f7;
    to[6 * n + at] = f8;
    to[7 * n + at] = f5;
    to[8 * n + at] = f6;
    return;
  }
  const double rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
  const double ux = (f1 + f5 + f8 - f3 - f6 - f7) / rho, uy = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
  const double u2 = 1.0 - 1.5 * (ux * ux + uy * uy), a = 1.0 - omega;
  const double w0 = omega * rho * 4.0 / 9.0, w1 = omega * rho / 9.0, w2 = omega * rho / 36.0;
  const double p = ux + uy, q = uy - ux;
  to[at] = a * f0 + w0 * u2;
  to[n + at] = a * f1 + w1 * (u2 + 3.0 * ux + 4.5 * ux * ux);
  to[2 * n + at] = a * f2 + w1 * (u2 + 3.0 * uy + 4.5 * uy * uy);
  to[3 * n + at] = a * f3 + w1 * (u2 - 3.0 * ux + 4.5 * ux * ux);
  to[4 * n + at] = a * f4 + w1 * (u2 - 3.0 * uy + 4.5 * uy * uy);
  to[5 * n + at] = a * f5 + w2 * (u2 + 3.0 * p + 4.5 * p * p);
  to[6 * n + at] = a * f6 + w2 * (u2 + 3.0 * q + 4.5 * q * q);
  to[7 * n + at] = a * f7 + w2 * (u2 - 3.0 * p + 4.5 * p * p);
  to[8 * n + at] = a * f8 + w2 * (u2 - 3.0 * q + 4.5 * q * q);
}

__constant__ int c19[19][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0}, {0, 1, 0},   {0, -1, 0},  {0, 0, 1},  {0, 0, -1},
                               {1, 1, 0},  {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},  {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},
                               {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};

__global__ void lbm_d3q19(const float* from, float* to, float omega, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x >= nx) return;
  const long long cells = static_cast<long long>(nx) * ny * nz;
  float f[19], rho = 0.0f, u[3] = {0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int k = 0; k < 19; k++) {
    const int sx = (x - c19[k][0] + nx) % nx, sy = (y - c19[k][1] + ny) % ny, sz = (z - c19[k][2] + nz) % nz;
    f[k] = from[k * cells + (static_cast<long long>(sz) * ny + sy) * nx + sx];
    rho += f[k];
    u[0] += c19[k][0] * f[k];
    u[1] += c19[k][1] * f[k];
    u[2] += c19[k][2] * f[k];
  }
  const float inv = 1.0f / rho;
  for (int d = 0; d < 3; d++) u[d] *= inv;
  const float u2 = 1.5f * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
#pragma unroll
  for (int k = 0; k < 19; k++) {
    const float w = k == 0 ? 1.0f / 3 : k < 7 ? 1.0f / 18 : 1.0f / 36;
    const float cu = 3.0f * (c19[k][0] * u[0] + c19[k][1] * u[1] + c19[k][2] * u[2]);
    to[k * cells + (static_cast<long long>(z) * ny + y) * nx + x] = f[k] - omega * (f[k] - w * rho * (1.0f + cu + 0.5f * cu * cu - u2));
  }
}

// Populations of a cell side by side; moments first, relaxation at two rates.
__global__ void lbm_two_rates(double* cells, double even, double odd, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double f[15], g[15];
  for (int k = 0; k < 15; k++) f[k] = cells[i * 15 + k];
  double rho = 0.0, m[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < 15; k++) rho += f[k];
  for (int k = 0; k < 7; k++) {
    const double gap = f[2 * k + 1] - f[2 * k + 2];
    m[k % 3] += gap;
    if (k > 2) m[(k + 1) % 3] += 0.5 * gap;
  }
  for (int k = 0; k < 15; k++) {
    const int axis = k % 3;
    g[k] = rho / 15.0 + m[axis] * (k % 2 ? 0.125 : -0.125) + m[axis] * m[(axis + 1) % 3] / rho;
  }
  for (int k = 0; k < 7; k++) {
    const double p = 0.5 * (f[2 * k + 1] + f[2 * k + 2] - g[2 * k + 1] - g[2 * k + 2]);
    const double q = 0.5 * (f[2 * k + 1] - f[2 * k + 2] - g[2 * k + 1] + g[2 * k + 2]);
    cells[i * 15 + 2 * k + 1] = f[2 * k + 1] - even * p - odd * q;
    cells[i * 15 + 2 * k + 2] = f[2 * k + 2] - even * p + odd * q;
  }
  cells[i * 15] = f[0] - even * (f[0] - g[0]);
}

__global__ void ising_sweep(signed char* spins, const float* random, float beta, int colour, int nx, int ny) {
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + ((blockIdx.y + colour) & 1), y = blockIdx.y;
  if (x >= nx) return;
  const int west = x > 0 ? x - 1 : nx - 1, east = x < nx - 1 ? x + 1 : 0;
  const int south = y > 0 ? y - 1 : ny - 1, north = y < ny - 1 ? y + 1 : 0;
  const int sum = spins[y * nx + west] + spins[y * nx + east] + spins[south * nx + x] + spins[north * nx + x];
  const signed char s = spins[y * nx + x];
  if (random[y * nx + x] < __expf(-2.0f * beta * sum * s)) spins[y * nx + x] = static_cast<signed char>(-s);
}

__global__ void life_packed(const unsigned* in, unsigned* out, int words, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= words || y == 0 || y >= rows - 1) return;
  unsigned one = 0, two = 0, four = 0;
  for (int dy = -1; dy <= 1; dy++) {
    const unsigned here = in[(y + dy) * words + x];
    const unsigned left = (here << 1) | (x > 0 ? in[(y + dy) * words + x - 1] >> 31 : 0u);
    const unsigned right = (here >> 1) | (x < words - 1 ? in[(y + dy) * words + x + 1] << 31 : 0u);
    const unsigned add[3] = {left, right, dy == 0 ? 0u : here};
    for (int k = 0; k < 3; k++) {
      const unsigned carry = one & add[k];
      one ^= add[k];
      four |= two & carry;
      two ^= carry;
    }
  }
  out[y * words + x] = two & ~four & (one | in[y * words + x]);
}

__global__ void gray_scott(const float2* in, float2* out, float feed, float kill, float du, float dv, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int w = (x + nx - 1) % nx, e = (x + 1) % nx, s = (y + ny - 1) % ny, n = (y + 1) % ny;
  const float2 c = in[y * nx + x], a = in[y * nx + w], b = in[y * nx + e], d = in[s * nx + x], f = in[n * nx + x];
  const float lu = a.x + b.x + d.x + f.x - 4.0f * c.x, lv = a.y + b.y + d.y + f.y - 4.0f * c.y;
  const float r = c.x * c.y * c.y;
  out[y * nx + x] = make_float2(c.x + du * lu - r + feed * (1.0f - c.x), c.y + dv * lv + r - (feed + kill) * c.y);
}

// Products of 3 x 3 complex matrices around a plaquette.
struct Su3 {
  float2 e[3][3];
};

__device__ Su3 times(const Su3& a, const Su3& b) {
  Su3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      float re = 0.0f, im = 0.0f;
      for (int k = 0; k < 3; k++) {
        re += a.e[i][k].x * b.e[k][j].x - a.e[i][k].y * b.e[k][j].y;
        im += a.e[i][k].x * b.e[k][j].y + a.e[i][k].y * b.e[k][j].x;
      }
      c.e[i][j] = make_float2(re, im);
    }
  return c;
}

__global__ void plaquette(const Su3* links, const int* step, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Su3 first = times(links[i], links[n + step[i]]);
  const Su3 second = times(links[n + i], links[step[n + i]]);
  float sum = 0.0f;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) sum += first.e[a][b].x * second.e[a][b].x + first.e[a][b].y * second.e[a][b].y;
  out[i] = sum / 3.0f;
}
