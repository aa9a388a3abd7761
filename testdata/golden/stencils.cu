// Finite differences on grids of one to three dimensions.

__global__ void heat_1d(const float* in, float* out, float r, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = in[i] + r * (in[i - 1] - 2.0f * in[i] + in[i + 1]);
}

__global__ void heat_2d(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, float c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1) return;
  const int at = y * nx + x;
  out[at] = in[at] + c * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] - 4.0f * in[at]);
}

__global__ void jacobi_residual(const double* u, const double* f, double* next, double* residual, int n, double h2) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= n - 1 || y >= n - 1) return;
  const int at = y * n + x;
  const double around = u[at - 1] + u[at + 1] + u[at - n] + u[at + n];
  next[at] = 0.25 * (around - h2 * f[at]);
  residual[at] = f[at] - (around - 4.0 * u[at]) / h2;
}

__global__ void laplace_3d(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= nx - 1 || y >= ny - 1) return;
  const int plane = nx * ny;
  int at = y * nx + x;
  float below = in[at], here = in[at + plane];
  for (int z = 1; z < nz - 1; z++) {
    at += plane;
    const float above = in[at + plane];
    out[at] = below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] - 6.0f * here;
    below = here;
    here = above;
  }
}

// Radius 4 in all directions; the column of nine planes is kept in registers and moved on.
__global__ void wave_radius4(const float* p, const float* before, const float* speed, float* next, const float* c,
                             int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 4, y = blockIdx.y * blockDim.y + threadIdx.y + 4;
  const int plane = nx * ny;
  int at = y * nx + x;
  float column[9];
#pragma unroll
  for (int k = 0; k < 8; k++) column[k + 1] = p[at + k * plane];
  at += 3 * plane;
  for (int z = 4; z < nz - 4; z++) {
    at += plane;
#pragma unroll
    for (int k = 0; k < 8; k++) column[k] = column[k + 1];
    column[8] = p[at + 4 * plane];
    float sum = c[0] * column[4] * 3.0f;
#pragma unroll
    for (int r = 1; r <= 4; r++)
      sum += c[r] * (p[at - r] + p[at + r] + p[at - r * nx] + p[at + r * nx] + column[4 - r] + column[4 + r]);
    next[at] = 2.0f * column[4] - before[at] + speed[at] * sum;
  }
}

__global__ void box_27(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  const float weight[4] = {8.0f, 4.0f, 2.0f, 1.0f};
  float sum = 0.0f;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        const int far = (dx != 0) + (dy != 0) + (dz != 0);
        sum += weight[far] * in[((z + dz) * ny + y + dy) * nx + x + dx];
      }
  out[(z * ny + y) * nx + x] = sum * (1.0f / 64.0f);
}

__global__ void stencil_shared(const float* in, float* out, int n) {
  __shared__ float tile[18][18];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[ty][tx] = in[y * n + x];
  if (threadIdx.x == 0) tile[ty][0] = x > 0 ? in[y * n + x - 1] : 0.0f;
  if (threadIdx.x == 15) tile[ty][17] = x < n - 1 ? in[y * n + x + 1] : 0.0f;
  if (threadIdx.y == 0) tile[0][tx] = y > 0 ? in[(y - 1) * n + x] : 0.0f;
  if (threadIdx.y == 15) tile[17][tx] = y < n - 1 ? in[(y + 1) * n + x] : 0.0f;
  __syncthreads();
  out[y * n + x] = 0.2f * (tile[ty][tx] + tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1]);
}

__global__ void shallow_water(const float* h, const float* hu, const float* hv, float* h2, float* hu2, float* hv2,
                              float dt_dx, float gravity, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= nx - 1 || y >= ny - 1) return;
  const int at = y * nx + x, e = at + 1, w = at - 1, n = at + nx, s = at - nx;
  const float he = h[e], hw = h[w], hn = h[n], hs = h[s];
  const float ue = hu[e] / he, uw = hu[w] / hw, un = hu[n] / hn, us = hu[s] / hs;
  const float ve = hv[e] / he, vw = hv[w] / hw, vn = hv[n] / hn, vs = hv[s] / hs;
  const float flux_h = hu[e] - hu[w] + hv[n] - hv[s];
  const float flux_u = hu[e] * ue - hu[w] * uw + 0.5f * gravity * (he * he - hw * hw) + hu[n] * vn - hu[s] * vs;
  const float flux_v = hv[n] * vn - hv[s] * vs + 0.5f * gravity * (hn * hn - hs * hs) + hv[e] * ue - hv[w] * uw;
  h2[at] = 0.25f * (he + hw + hn + hs) - 0.5f * dt_dx * flux_h;
  hu2[at] = 0.25f * (hu[e] + hu[w] + hu[n] + hu[s]) - 0.5f * dt_dx * (flux_u + 0.0f * (un - us));
  hv2[at] = 0.25f * (hv[e] + hv[w] + hv[n] + hv[s]) - 0.5f * dt_dx * (flux_v + 0.0f * (ve - vw));
}

__device__ float minmod(float a, float b) {
  if (a * b <= 0.0f) return 0.0f;
  return fabsf(a) < fabsf(b) ? a : b;
}

struct Flow {
  float rho, mx, my, energy;
};

__device__ Flow flux_of(const Flow& u, float gamma) {
  const float vx = u.mx / u.rho, vy = u.my / u.rho;
  const float p = (gamma - 1.0f) * (u.energy - 0.5f * u.rho * (vx * vx + vy * vy));
  return {u.mx, u.mx * vx + p, u.my * vx, (u.energy + p) * vx};
}

__device__ Flow between(const Flow& l, const Flow& r, float gamma) {
  const Flow fl = flux_of(l, gamma), fr = flux_of(r, gamma);
  const float pl = (gamma - 1.0f) * (l.energy - 0.5f * (l.mx * l.mx + l.my * l.my) / l.rho);
  const float pr = (gamma - 1.0f) * (r.energy - 0.5f * (r.mx * r.mx + r.my * r.my) / r.rho);
  const float a = fmaxf(fabsf(l.mx / l.rho) + sqrtf(gamma * pl / l.rho), fabsf(r.mx / r.rho) + sqrtf(gamma * pr / r.rho));
  return {0.5f * (fl.rho + fr.rho - a * (r.rho - l.rho)), 0.5f * (fl.mx + fr.mx - a * (r.mx - l.mx)),
          0.5f * (fl.my + fr.my - a * (r.my - l.my)), 0.5f * (fl.energy + fr.energy - a * (r.energy - l.energy))};
}

__global__ void euler_rusanov(const Flow* in, Flow* out, float gamma, float dt_dx, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx - 1 || y >= ny) return;
  const Flow left = in[y * nx + x - 1], here = in[y * nx + x], right = in[y * nx + x + 1];
  const Flow f0 = between(left, here, gamma), f1 = between(here, right, gamma);
  Flow next;
  next.rho = here.rho - dt_dx * (f1.rho - f0.rho);
  next.mx = here.mx - dt_dx * (f1.mx - f0.mx);
  next.my = here.my - dt_dx * (f1.my - f0.my);
  next.energy = here.energy - dt_dx * (f1.energy - f0.energy);
  out[y * nx + x] = next;
}

__global__ void muscl_slopes(const float* u, float* left, float* right, int fields, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 2;
  if (i >= n - 2) return;
  for (int f = 0; f < fields; f++) {
    const float* v = u + f * n;
    const float a = minmod(v[i] - v[i - 1], v[i + 1] - v[i]);
    const float b = minmod(v[i + 1] - v[i], v[i + 2] - v[i + 1]);
    left[f * n + i] = v[i] + 0.5f * a;
    right[f * n + i] = v[i + 1] - 0.5f * b;
  }
}

// Fifth-order weighted reconstruction of five fields at one face.
__global__ void weno5(const double* q, double* face, int fields, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 2;
  if (i >= n - 2) return;
  const double eps = 1e-6;
  for (int f = 0; f < fields; f++) {
    const double a = q[f * n + i - 2], b = q[f * n + i - 1], c = q[f * n + i], d = q[f * n + i + 1], e = q[f * n + i + 2];
    const double s0 = 13.0 / 12.0 * (a - 2 * b + c) * (a - 2 * b + c) + 0.25 * (a - 4 * b + 3 * c) * (a - 4 * b + 3 * c);
    const double s1 = 13.0 / 12.0 * (b - 2 * c + d) * (b - 2 * c + d) + 0.25 * (b - d) * (b - d);
    const double s2 = 13.0 / 12.0 * (c - 2 * d + e) * (c - 2 * d + e) + 0.25 * (3 * c - 4 * d + e) * (3 * c - 4 * d + e);
    const double w0 = 0.1 / ((eps + s0) * (eps + s0)), w1 = 0.6 / ((eps + s1) * (eps + s1)), w2 = 0.3 / ((eps + s2) * (eps + s2));
    const double p0 = (2 * a - 7 * b + 11 * c) / 6, p1 = (-b + 5 * c + 2 * d) / 6, p2 = (2 * c + 5 * d - e) / 6;
    face[f * n + i] = (w0 * p0 + w1 * p1 + w2 * p2) / (w0 + w1 + w2);
  }
}

__global__ void curl_of_e(const float* ex, const float* ey, const float* ez, float* hx, float* hy, float* hz,
                          float ch, float ce, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z;
  if (x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  const int at = (z * ny + y) * nx + x, up = at + nx * ny, north = at + nx, east = at + 1;
  hx[at] = ch * hx[at] + ce * (ey[up] - ey[at] - ez[north] + ez[at]);
  hy[at] = ch * hy[at] + ce * (ez[east] - ez[at] - ex[up] + ex[at]);
  hz[at] = ch * hz[at] + ce * (ex[north] - ex[at] - ey[east] + ey[at]);
}
