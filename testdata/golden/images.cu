// Image filters, colour, interpolation, and Monte Carlo with generators of random numbers.

__global__ void sobel(const unsigned char* in, unsigned char* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  const unsigned char* p = in + y * w + x;
  const int gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1];
  const int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
  const int g = abs(gx) + abs(gy);
  out[y * w + x] = static_cast<unsigned char>(g > 255 ? 255 : g);
}

__constant__ float gauss[49];

__global__ void convolve7(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 3, y = blockIdx.y * blockDim.y + threadIdx.y + 3;
  if (x >= w - 3 || y >= h - 3) return;
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 7; j++)
#pragma unroll
    for (int i = 0; i < 7; i++) sum += gauss[j * 7 + i] * in[(y + j - 3) * w + x + i - 3];
  out[y * w + x] = sum;
}

__global__ void convolve_four_outputs(const float* in, const float* k, float* out, int w, int h) {
  const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x + 8 > w || y + 5 > h) return;
  float acc[4] = {};
#pragma unroll
  for (int j = 0; j < 5; j++) {
    float line[8];
#pragma unroll
    for (int i = 0; i < 8; i++) line[i] = in[(y + j) * w + x + i];
#pragma unroll
    for (int i = 0; i < 5; i++) {
      const float c = k[j * 5 + i];
#pragma unroll
      for (int o = 0; o < 4; o++) acc[o] += c * line[i + o];
    }
  }
#pragma unroll
  for (int o = 0; o < 4; o++) out[y * w + x + o] = acc[o];
}

__global__ void bilateral(const float* in, float* out, float space, float range, int radius, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const float centre = in[y * w + x];
  float sum = 0.0f, weights = 0.0f;
  for (int j = -radius; j <= radius; j++)
    for (int i = -radius; i <= radius; i++) {
      const int sx = min(max(x + i, 0), w - 1), sy = min(max(y + j, 0), h - 1);
      const float v = in[sy * w + sx], d = v - centre;
      const float weight = __expf(-(i * i + j * j) * space - d * d * range);
      sum += weight * v;
      weights += weight;
    }
  out[y * w + x] = sum / weights;
}

__global__ void resize_bilinear(const float* in, float* out, int w, int h, int ow, int oh) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= ow || y >= oh) return;
  const float fx = (x + 0.5f) * w / ow - 0.5f, fy = (y + 0.5f) * h / oh - 0.5f;
  const int x0 = max(static_cast<int>(floorf(fx)), 0), y0 = max(static_cast<int>(floorf(fy)), 0);
  const int x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
  const float ax = fx - x0, ay = fy - y0;
  const float top = in[y0 * w + x0] * (1.0f - ax) + in[y0 * w + x1] * ax;
  const float low = in[y1 * w + x0] * (1.0f - ax) + in[y1 * w + x1] * ax;
  out[y * ow + x] = top * (1.0f - ay) + low * ay;
}

__device__ float cubic(float p0, float p1, float p2, float p3, float t) {
  const float a = -0.5f * p0 + 1.5f * p1 - 1.5f * p2 + 0.5f * p3, b = p0 - 2.5f * p1 + 2.0f * p2 - 0.5f * p3;
  return ((a * t + b) * t + 0.5f * (p2 - p0)) * t + p1;
}

__global__ void resize_bicubic(const float* in, float* out, float step, int w, int h, int ow, int oh) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= ow || y >= oh) return;
  const float fx = x * step + 1.0f, fy = y * step + 1.0f;
  const int sx = min(static_cast<int>(fx), w - 3), sy = min(static_cast<int>(fy), h - 3);
  float row[4];
  for (int j = 0; j < 4; j++) {
    const float* p = in + (sy + j - 1) * w + sx;
    row[j] = cubic(p[-1], p[0], p[1], p[2], fx - sx);
  }
  out[y * ow + x] = cubic(row[0], row[1], row[2], row[3], fy - sy);
}

__global__ void rgb_to_hsv(const float3* in, float3* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 c = in[i];
  const float most = fmaxf(c.x, fmaxf(c.y, c.z)), least = fminf(c.x, fminf(c.y, c.z)), range = most - least;
  float hue = 0.0f;
  if (range > 0.0f) {
    if (most == c.x) hue = (c.y - c.z) / range;
    else if (most == c.y) hue = 2.0f + (c.z - c.x) / range;
    else hue = 4.0f + (c.x - c.y) / range;
    hue = hue < 0.0f ? hue * 60.0f + 360.0f : hue * 60.0f;
  }
  out[i] = make_float3(hue, most > 0.0f ? range / most : 0.0f, most);
}

__global__ void tone_map(const float4* in, uchar4* out, float exposure, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float c[3] = {in[i].x * exposure, in[i].y * exposure, in[i].z * exposure};
  for (int k = 0; k < 3; k++) {
    c[k] = c[k] * (2.51f * c[k] + 0.03f) / (c[k] * (2.43f * c[k] + 0.59f) + 0.14f);
    c[k] = c[k] <= 0.0031308f ? 12.92f * c[k] : 1.055f * powf(c[k], 1.0f / 2.4f) - 0.055f;
    c[k] = fminf(fmaxf(c[k], 0.0f), 1.0f) * 255.0f;
  }
  out[i] = make_uchar4(c[0], c[1], c[2], 255);
}

__global__ void integral_columns(const unsigned* in, unsigned* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  unsigned sum = 0;
  for (int y = 0; y < h; y++) {
    sum += in[y * w + x];
    out[y * w + x] = sum;
  }
}

__global__ void flood_labels(int* labels, int* changed, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  const int at = y * w + x, own = labels[at];
  if (own == 0) return;
  int best = own;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      const int u = x + i, v = y + j;
      if (u < 0 || v < 0 || u >= w || v >= h) continue;
      const int other = labels[v * w + u];
      if (other > best) best = other;
    }
  if (best != own) {
    labels[at] = best;
    *changed = 1;
  }
}

__global__ void optical_flow_window(const float* a, const float* b, float2* flow, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 4, y = blockIdx.y * blockDim.y + threadIdx.y + 4;
  if (x >= w - 4 || y >= h - 4) return;
  float xx = 0.0f, xy = 0.0f, yy = 0.0f, xt = 0.0f, yt = 0.0f;
  for (int j = -3; j <= 3; j++)
    for (int i = -3; i <= 3; i++) {
      const int at = (y + j) * w + x + i;
      const float gx = 0.5f * (a[at + 1] - a[at - 1]), gy = 0.5f * (a[at + w] - a[at - w]), gt = b[at] - a[at];
      xx += gx * gx;
      xy += gx * gy;
      yy += gy * gy;
      xt += gx * gt;
      yt += gy * gt;
    }
  const float det = xx * yy - xy * xy;
  flow[y * w + x] = fabsf(det) < 1e-6f ? make_float2(0.0f, 0.0f) : make_float2((xy * yt - yy * xt) / det, (xy * xt - xx * yt) / det);
}

__device__ inline unsigned next_xorshift(unsigned& s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s;
}

__global__ void pi_by_darts(unsigned seed, int throws, unsigned* hits) {
  unsigned s = seed + (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  unsigned inside = 0;
  for (int k = 0; k < throws; k++) {
    const float x = next_xorshift(s) * 2.3283064e-10f, y = next_xorshift(s) * 2.3283064e-10f;
    inside += x * x + y * y < 1.0f;
  }
  atomicAdd(hits, inside);
}

__global__ void lcg_skip(unsigned long long* states, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long s = states[i];
  s = s * 6364136223846793005ull + 1442695040888963407ull;
  const unsigned x = static_cast<unsigned>(((s >> 18) ^ s) >> 27), r = static_cast<unsigned>(s >> 59);
  out[i] = ((x >> r) | (x << ((32 - r) & 31))) * 2.3283064e-10f;
  states[i] = s;
}

// Ten rounds on a counter of four words, key of two.
__global__ void counter_generator(uint4* out, unsigned key0, unsigned key1, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned c0 = i, c1 = 0, c2 = 0x9e37u, c3 = 0x79b9u;
#pragma unroll
  for (int r = 0; r < 10; r++) {
    const unsigned long long a = 0xd2511f53ull * c0, b = 0xcd9e8d57ull * c2;
    c0 = static_cast<unsigned>(b >> 32) ^ c1 ^ key0;
    c1 = static_cast<unsigned>(b);
    c2 = static_cast<unsigned>(a >> 32) ^ c3 ^ key1;
    c3 = static_cast<unsigned>(a);
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  out[i] = make_uint4(c0, c1, c2, c3);
}

__global__ void normal_pairs(const uint2* bits, float2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float u = (bits[i].x + 1.0f) * 2.3283064e-10f, v = bits[i].y * 1.4629181e-9f;
  const float r = sqrtf(-2.0f * logf(u));
  float s, c;
  sincosf(v, &s, &c);
  out[i] = make_float2(r * c, r * s);
}

// A generator with a lagged state of 32 words kept by every thread.
__global__ void lagged_generator(unsigned* states, float* out, int draws, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned s[32];
  for (int k = 0; k < 32; k++) s[k] = states[k * n + i];
  int at = 0;
  float sum = 0.0f;
  for (int k = 0; k < draws; k++) {
    const unsigned x = s[at] ^ (s[(at + 13) & 31] << 7) ^ (s[(at + 24) & 31] >> 11);
    s[at] = x;
    sum += x * 2.3283064e-10f;
    at = (at + 1) & 31;
  }
  for (int k = 0; k < 32; k++) states[k * n + i] = s[k];
  out[i] = sum;
}

__global__ void asian_option(const float* normals, float* payoff, float spot, float strike, float drift, float vol, int steps, int paths) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= paths) return;
  float s = spot, t = spot, sum = 0.0f, other = 0.0f;
  for (int k = 0; k < steps; k++) {
    const float z = normals[k * paths + p];
    s *= __expf(drift + vol * z);
    t *= __expf(drift - vol * z);
    sum += s;
    other += t;
  }
  payoff[p] = 0.5f * (fmaxf(sum / steps - strike, 0.0f) + fmaxf(other / steps - strike, 0.0f));
}

__global__ void binomial_tree(const float* spot, const float* strike, float* price, float up, float discount, float p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[33];
  float s = spot[i] * powf(up, -32.0f);
#pragma unroll
  for (int k = 0; k <= 32; k++) {
    v[k] = fmaxf(s - strike[i], 0.0f);
    s *= up * up;
  }
#pragma unroll
  for (int t = 32; t > 0; t--)
#pragma unroll
    for (int k = 0; k < t; k++) v[k] = discount * (p * v[k + 1] + (1.0f - p) * v[k]);
  price[i] = v[0];
}

// A photon through layers: absorption, scattering, roulette.
__global__ void photon_layers(const float4* layers, float* absorbed, unsigned seed, int count, int steps) {
  unsigned s = seed ^ (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u;
  float x = 0.0f, y = 0.0f, z = 0.0f, ux = 0.0f, uy = 0.0f, uz = 1.0f, weight = 1.0f;
  int layer = 0;
  for (int k = 0; k < steps && weight > 0.0f; k++) {
    const float4 l = layers[layer];
    const float path = -logf(next_xorshift(s) * 2.3283064e-10f + 1e-9f) / (l.x + l.y);
    x += ux * path;
    y += uy * path;
    z += uz * path;
    if (z < 0.0f) break;
    while (layer < count - 1 && z > layers[layer].w) layer++;
    const float lost = weight * l.x / (l.x + l.y);
    weight -= lost;
    atomicAdd(&absorbed[layer], lost);
    const float g = l.z, r = next_xorshift(s) * 2.3283064e-10f;
    const float f = (1.0f - g * g) / (1.0f - g + 2.0f * g * r);
    const float co = (1.0f + g * g - f * f) / (2.0f * g), si = sqrtf(fmaxf(0.0f, 1.0f - co * co));
    float sp, cp;
    __sincosf(6.2831853f * next_xorshift(s) * 2.3283064e-10f, &sp, &cp);
    if (fabsf(uz) > 0.9999f) {
      ux = si * cp;
      uy = si * sp;
      uz = co * (uz > 0.0f ? 1.0f : -1.0f);
    } else {
      const float t = sqrtf(1.0f - uz * uz), vx = ux, vy = uy, vz = uz;
      ux = si * (vx * vz * cp - vy * sp) / t + vx * co;
      uy = si * (vy * vz * cp + vx * sp) / t + vy * co;
      uz = -si * cp * t + vz * co;
    }
    if (weight < 1e-4f) weight = next_xorshift(s) * 2.3283064e-10f < 0.1f ? weight * 10.0f : 0.0f;
  }
}
