// Particles: gravity, molecular dynamics, smoothed hydrodynamics, plasma, rays, rigid bodies.
#include "common.h"

__global__ void gravity_naive(const float4* body, float3* force, float soft, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = body[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int j = 0; j < n; j++) {
    const float4 other = body[j];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + soft);
    const float s = other.w * inv * inv * inv;
    ax += dx * s;
    ay += dy * s;
    az += dz * s;
  }
  force[i] = make_float3(ax, ay, az);
}

__global__ void gravity_tiled(const float4* body, float4* speed, float soft, float dt, int n) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = i < n ? body[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float3 a = make_float3(0.0f, 0.0f, 0.0f);
  for (int first = 0; first < n; first += 256) {
    tile[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 256; j++) {
      const float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      const float d2 = dx * dx + dy * dy + dz * dz + soft;
      const float s = tile[j].w * rsqrtf(d2 * d2 * d2);
      a.x += dx * s;
      a.y += dy * s;
      a.z += dz * s;
    }
    __syncthreads();
  }
  if (i < n) {
    float4 v = speed[i];
    v.x += dt * a.x;
    v.y += dt * a.y;
    v.z += dt * a.z;
    speed[i] = v;
  }
}

__global__ void gravity_double(const double4* body, double* potential, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = body[i].x, y = body[i].y, z = body[i].z;
  double sum = 0.0;
  for (int j = 0; j < n; j++) {
    if (j == i) continue;
    const double dx = body[j].x - x, dy = body[j].y - y, dz = body[j].z - z;
    sum -= body[j].w / sqrt(dx * dx + dy * dy + dz * dz);
  }
  potential[i] = sum;
}

__global__ void lennard_jones(const float* x, const float* y, const float* z, const int* neighbours, const int* counts,
                              float* fx, float* fy, float* fz, float* energy, float cutoff2, float box, int most, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float xi = x[i], yi = y[i], zi = z[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f, e = 0.0f;
  const int count = counts[i];
  for (int k = 0; k < count; k++) {
    const int j = neighbours[k * n + i];
    float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
    dx -= box * rintf(dx / box);
    dy -= box * rintf(dy / box);
    dz -= box * rintf(dz / box);
    const float d2 = dx * dx + dy * dy + dz * dz;
    if (d2 >= cutoff2) continue;
    const float inv2 = 1.0f / d2, inv6 = inv2 * inv2 * inv2;
    const float f = 24.0f * inv2 * inv6 * (2.0f * inv6 - 1.0f);
    ax -= f * dx;
    ay -= f * dy;
    az -= f * dz;
    e += 4.0f * inv6 * (inv6 - 1.0f);
  }
  fx[i] = ax;
  fy[i] = ay;
  fz[i] = az;
  energy[i] = 0.5f * e;
}

__global__ void coulomb_erfc(const double* x, const double* q, const int* pairs, double* f, double alpha, int count) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count) return;
  const int i = pairs[2 * p], j = pairs[2 * p + 1];
  const double dx = x[3 * i] - x[3 * j], dy = x[3 * i + 1] - x[3 * j + 1], dz = x[3 * i + 2] - x[3 * j + 2];
  const double r2 = dx * dx + dy * dy + dz * dz, r = sqrt(r2);
  const double s = q[i] * q[j] * (erfc(alpha * r) / r + 1.1283791670955126 * alpha * exp(-alpha * alpha * r2)) / r2;
  f[3 * p] = s * dx;
  f[3 * p + 1] = s * dy;
  f[3 * p + 2] = s * dz;
}

__global__ void verlet_half(float* x, float* v, const float* a, const float* mass, float dt, float box, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float s = 0.5f * dt / mass[i];
#pragma unroll
  for (int d = 0; d < 3; d++) {
    const float speed = v[d * n + i] + s * a[d * n + i];
    float place = x[d * n + i] + dt * speed;
    place -= box * floorf(place / box);
    v[d * n + i] = speed;
    x[d * n + i] = place;
  }
}

__global__ void angle_forces(const float4* at, const int4* angles, float4* force, int count) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= count) return;
  const int4 id = angles[k];
  const float4 a = at[id.x], b = at[id.y], c = at[id.z];
  const float ux = a.x - b.x, uy = a.y - b.y, uz = a.z - b.z;
  const float vx = c.x - b.x, vy = c.y - b.y, vz = c.z - b.z;
  const float iu = rsqrtf(ux * ux + uy * uy + uz * uz), iv = rsqrtf(vx * vx + vy * vy + vz * vz);
  float co = (ux * vx + uy * vy + uz * vz) * iu * iv;
  co = fminf(1.0f, fmaxf(-1.0f, co));
  const float angle = acosf(co);
  const float s = 2.0f * 55.0f * (angle - 1.911f) / sqrtf(fmaxf(1e-6f, 1.0f - co * co));
  const float fax = s * iu * (vx * iv - ux * iu * co), fay = s * iu * (vy * iv - uy * iu * co), faz = s * iu * (vz * iv - uz * iu * co);
  const float fcx = s * iv * (ux * iu - vx * iv * co), fcy = s * iv * (uy * iu - vy * iv * co), fcz = s * iv * (uz * iu - vz * iv * co);
  atomicAdd(&force[id.x].x, fax);
  atomicAdd(&force[id.x].y, fay);
  atomicAdd(&force[id.x].z, faz);
  atomicAdd(&force[id.z].x, fcx);
  atomicAdd(&force[id.z].y, fcy);
  atomicAdd(&force[id.z].z, fcz);
  atomicAdd(&force[id.y].x, -fax - fcx);
  atomicAdd(&force[id.y].y, -fay - fcy);
  atomicAdd(&force[id.y].z, -faz - fcz);
}

__global__ void dihedral_energy(const double* x, const int* quad, const double* k, double* out, int count) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count) return;
  double p[4][3], b[3][3], m[3], n[3];
  for (int a = 0; a < 4; a++)
    for (int d = 0; d < 3; d++) p[a][d] = x[quad[a * count + t] * 3 + d];
  for (int a = 0; a < 3; a++)
    for (int d = 0; d < 3; d++) b[a][d] = p[a + 1][d] - p[a][d];
  for (int d = 0; d < 3; d++) {
    m[d] = b[0][(d + 1) % 3] * b[1][(d + 2) % 3] - b[0][(d + 2) % 3] * b[1][(d + 1) % 3];
    n[d] = b[1][(d + 1) % 3] * b[2][(d + 2) % 3] - b[1][(d + 2) % 3] * b[2][(d + 1) % 3];
  }
  double mn = 0.0, mm = 0.0, nn = 0.0, mb = 0.0, bb = 0.0;
  for (int d = 0; d < 3; d++) {
    mn += m[d] * n[d];
    mm += m[d] * m[d];
    nn += n[d] * n[d];
    mb += b[0][d] * n[d];
    bb += b[1][d] * b[1][d];
  }
  const double phi = atan2(sqrt(bb) * mb, mn);
  double sum = 0.0;
  for (int h = 1; h <= 4; h++) sum += k[h * count + t] * (1.0 + cos(h * phi));
  out[t] = sum + 0.0 * (mm + nn);
}

__global__ void sph_density(const float4* at, const int* cell_start, const int* cell_end, float* density, float h, int3 grid, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = at[i];
  const int cx = static_cast<int>(me.x / h), cy = static_cast<int>(me.y / h), cz = static_cast<int>(me.z / h);
  const float h2 = h * h;
  float sum = 0.0f;
  for (int z = max(cz - 1, 0); z <= min(cz + 1, grid.z - 1); z++)
    for (int y = max(cy - 1, 0); y <= min(cy + 1, grid.y - 1); y++)
      for (int x = max(cx - 1, 0); x <= min(cx + 1, grid.x - 1); x++) {
        const int cell = (z * grid.y + y) * grid.x + x;
        for (int j = cell_start[cell]; j < cell_end[cell]; j++) {
          const float dx = at[j].x - me.x, dy = at[j].y - me.y, dz = at[j].z - me.z;
          const float gap = h2 - (dx * dx + dy * dy + dz * dz);
          if (gap > 0.0f) sum += at[j].w * gap * gap * gap;
        }
      }
  density[i] = 1.566681f * sum / (h2 * h2 * h2 * h2 * h);
}

__global__ void boris_push(float* x, float* v, const float* e, const float* b, float qm, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float u[3], t[3], s[3], w[3];
  float t2 = 0.0f;
  for (int d = 0; d < 3; d++) {
    u[d] = v[d * n + i] + 0.5f * qm * dt * e[d * n + i];
    t[d] = 0.5f * qm * dt * b[d * n + i];
    t2 += t[d] * t[d];
  }
  for (int d = 0; d < 3; d++) s[d] = 2.0f * t[d] / (1.0f + t2);
  for (int d = 0; d < 3; d++) w[d] = u[d] + u[(d + 1) % 3] * t[(d + 2) % 3] - u[(d + 2) % 3] * t[(d + 1) % 3];
  for (int d = 0; d < 3; d++) {
    const float after = u[d] + w[(d + 1) % 3] * s[(d + 2) % 3] - w[(d + 2) % 3] * s[(d + 1) % 3] + 0.5f * qm * dt * e[d * n + i];
    v[d * n + i] = after;
    x[d * n + i] += dt * after;
  }
}

__global__ void deposit_charge(const float* x, const float* y, const float* q, float* grid, int nx, float inv, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float gx = x[i] * inv, gy = y[i] * inv;
  const int cx = static_cast<int>(gx), cy = static_cast<int>(gy);
  const float fx = gx - cx, fy = gy - cy;
  const float wx[3] = {0.5f * (1.5f - fx) * (1.5f - fx), 0.75f - (fx - 0.5f) * (fx - 0.5f), 0.5f * fx * fx};
  const float wy[3] = {0.5f * (1.5f - fy) * (1.5f - fy), 0.75f - (fy - 0.5f) * (fy - 0.5f), 0.5f * fy * fy};
  for (int b = 0; b < 3; b++)
    for (int a = 0; a < 3; a++) atomicAdd(&grid[(cy + b) * nx + cx + a], q[i] * wx[a] * wy[b]);
}

struct Quaternion {
  float w, x, y, z;
};

__device__ Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

__global__ void rigid_rotation(Quaternion* turn, const float3* spin, const float* points, float* out, float dt, int each, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Quaternion q = turn[i];
  const float3 w = spin[i];
  const Quaternion change = product({0.0f, w.x, w.y, w.z}, q);
  q.w += 0.5f * dt * change.w;
  q.x += 0.5f * dt * change.x;
  q.y += 0.5f * dt * change.y;
  q.z += 0.5f * dt * change.z;
  const float inv = rsqrtf(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  q = {q.w * inv, q.x * inv, q.y * inv, q.z * inv};
  turn[i] = q;
  for (int k = 0; k < each; k++) {
    const Quaternion p = {0.0f, points[3 * k], points[3 * k + 1], points[3 * k + 2]};
    const Quaternion r = product(product(q, p), {q.w, -q.x, -q.y, -q.z});
    out[(i * each + k) * 3] = r.x;
    out[(i * each + k) * 3 + 1] = r.y;
    out[(i * each + k) * 3 + 2] = r.z;
  }
}

__global__ void runge_kutta_lorenz(double* state, double dt, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double y[3], k[4][3], t[3];
  for (int d = 0; d < 3; d++) y[d] = state[d * n + i];
  for (int s = 0; s < steps; s++) {
    for (int stage = 0; stage < 4; stage++) {
      const double a = stage == 0 ? 0.0 : stage == 3 ? dt : 0.5 * dt;
      for (int d = 0; d < 3; d++) t[d] = y[d] + (stage == 0 ? 0.0 : a * k[stage - 1][d]);
      k[stage][0] = 10.0 * (t[1] - t[0]);
      k[stage][1] = t[0] * (28.0 - t[2]) - t[1];
      k[stage][2] = t[0] * t[1] - 8.0 / 3.0 * t[2];
    }
    for (int d = 0; d < 3; d++) y[d] += dt / 6.0 * (k[0][d] + 2.0 * k[1][d] + 2.0 * k[2][d] + k[3][d]);
  }
  for (int d = 0; d < 3; d++) state[d * n + i] = y[d];
}

__global__ void ray_spheres(const float4* spheres, float* depth, int count, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float dx = (x - 0.5f * width) / width, dy = (y - 0.5f * height) / width, dz = 1.0f;
  const float inv = rsqrtf(dx * dx + dy * dy + dz * dz);
  dx *= inv;
  dy *= inv;
  dz *= inv;
  float nearest = 1e30f;
  for (int k = 0; k < count; k++) {
    const float4 s = spheres[k];
    const float b = dx * s.x + dy * s.y + dz * s.z;
    const float c = s.x * s.x + s.y * s.y + s.z * s.z - s.w * s.w;
    const float d = b * b - c;
    if (d < 0.0f) continue;
    const float t = b - sqrtf(d);
    if (t > 1e-3f && t < nearest) nearest = t;
  }
  depth[y * width + x] = nearest;
}

__global__ void triangle_hits(const float3* a, const float3* e1, const float3* e2, const float3* from, const float3* to, int* hit,
                              int triangles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 o = from[i], d = to[i];
  float best = 1e30f;
  int which = -1;
  for (int k = 0; k < triangles; k++) {
    const float3 u = e1[k], v = e2[k];
    const float px = d.y * v.z - d.z * v.y, py = d.z * v.x - d.x * v.z, pz = d.x * v.y - d.y * v.x;
    const float det = u.x * px + u.y * py + u.z * pz;
    if (fabsf(det) < 1e-8f) continue;
    const float inv = 1.0f / det;
    const float tx = o.x - a[k].x, ty = o.y - a[k].y, tz = o.z - a[k].z;
    const float s = (tx * px + ty * py + tz * pz) * inv;
    if (s < 0.0f || s > 1.0f) continue;
    const float qx = ty * u.z - tz * u.y, qy = tz * u.x - tx * u.z, qz = tx * u.y - ty * u.x;
    const float w = (d.x * qx + d.y * qy + d.z * qz) * inv;
    if (w < 0.0f || s + w > 1.0f) continue;
    const float t = (v.x * qx + v.y * qy + v.z * qz) * inv;
    if (t > 0.0f && t < best) {
      best = t;
      which = k;
    }
  }
  hit[i] = which;
}
