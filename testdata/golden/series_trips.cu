// Counted loops of N iterations without an array: a small body, and a large one.

__global__ void window_4(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float best = -1e30f, sum = 0.0f, weight = 1.0f;
  for (int k = 0; k < 4; k++) {
    const float x = in[t + k * stride];
    const float y = in[t + k * stride + 1];
    const float d = x * y + c;
    weight = weight * 0.5f + d * d;
    sum += weight * (x - y);
    if (d > best) best = d;
  }
  out[t] = sum + best;
}

__global__ void window_8(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float best = -1e30f, sum = 0.0f, weight = 1.0f;
  for (int k = 0; k < 8; k++) {
    const float x = in[t + k * stride];
    const float y = in[t + k * stride + 1];
    const float d = x * y + c;
    weight = weight * 0.5f + d * d;
    sum += weight * (x - y);
    if (d > best) best = d;
  }
  out[t] = sum + best;
}

__global__ void window_16(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float best = -1e30f, sum = 0.0f, weight = 1.0f;
  for (int k = 0; k < 16; k++) {
    const float x = in[t + k * stride];
    const float y = in[t + k * stride + 1];
    const float d = x * y + c;
    weight = weight * 0.5f + d * d;
    sum += weight * (x - y);
    if (d > best) best = d;
  }
  out[t] = sum + best;
}

__global__ void window_32(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float best = -1e30f, sum = 0.0f, weight = 1.0f;
  for (int k = 0; k < 32; k++) {
    const float x = in[t + k * stride];
    const float y = in[t + k * stride + 1];
    const float d = x * y + c;
    weight = weight * 0.5f + d * d;
    sum += weight * (x - y);
    if (d > best) best = d;
  }
  out[t] = sum + best;
}

__global__ void window_64(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float best = -1e30f, sum = 0.0f, weight = 1.0f;
  for (int k = 0; k < 64; k++) {
    const float x = in[t + k * stride];
    const float y = in[t + k * stride + 1];
    const float d = x * y + c;
    weight = weight * 0.5f + d * d;
    sum += weight * (x - y);
    if (d > best) best = d;
  }
  out[t] = sum + best;
}

__global__ void window_128(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float best = -1e30f, sum = 0.0f, weight = 1.0f;
  for (int k = 0; k < 128; k++) {
    const float x = in[t + k * stride];
    const float y = in[t + k * stride + 1];
    const float d = x * y + c;
    weight = weight * 0.5f + d * d;
    sum += weight * (x - y);
    if (d > best) best = d;
  }
  out[t] = sum + best;
}

__global__ void window_256(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float best = -1e30f, sum = 0.0f, weight = 1.0f;
  for (int k = 0; k < 256; k++) {
    const float x = in[t + k * stride];
    const float y = in[t + k * stride + 1];
    const float d = x * y + c;
    weight = weight * 0.5f + d * d;
    sum += weight * (x - y);
    if (d > best) best = d;
  }
  out[t] = sum + best;
}

__global__ void large_body_2(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float p = in[t], q = in[t + 1], r = in[t + 2], e = 0.0f;
  for (int k = 0; k < 2; k++) {
    const float u = in[t + k * stride], v = in[t + k * stride + 7];
    const float dx = p - u, dy = q - v, dz = r - c;
    const float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    const float inv = rsqrtf(d2);
    const float s2 = inv * inv, s6 = s2 * s2 * s2;
    const float f = s6 * (s6 - 0.5f) * s2;
    const float g = u * v + c * f;
    const float w = g > 1.0f ? g * 0.25f : g * g + f;
    e += s6 * (s6 - 1.0f) + w;
    p += f * dx + 0.5f * w * g;
    q += f * dy - 0.5f * w * g;
    r += f * dz + 0.125f * (g - w);
  }
  out[t] = p * q + r + e;
}

__global__ void large_body_4(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float p = in[t], q = in[t + 1], r = in[t + 2], e = 0.0f;
  for (int k = 0; k < 4; k++) {
    const float u = in[t + k * stride], v = in[t + k * stride + 7];
    const float dx = p - u, dy = q - v, dz = r - c;
    const float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    const float inv = rsqrtf(d2);
    const float s2 = inv * inv, s6 = s2 * s2 * s2;
    const float f = s6 * (s6 - 0.5f) * s2;
    const float g = u * v + c * f;
    const float w = g > 1.0f ? g * 0.25f : g * g + f;
    e += s6 * (s6 - 1.0f) + w;
    p += f * dx + 0.5f * w * g;
    q += f * dy - 0.5f * w * g;
    r += f * dz + 0.125f * (g - w);
  }
  out[t] = p * q + r + e;
}

__global__ void large_body_8(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float p = in[t], q = in[t + 1], r = in[t + 2], e = 0.0f;
  for (int k = 0; k < 8; k++) {
    const float u = in[t + k * stride], v = in[t + k * stride + 7];
    const float dx = p - u, dy = q - v, dz = r - c;
    const float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    const float inv = rsqrtf(d2);
    const float s2 = inv * inv, s6 = s2 * s2 * s2;
    const float f = s6 * (s6 - 0.5f) * s2;
    const float g = u * v + c * f;
    const float w = g > 1.0f ? g * 0.25f : g * g + f;
    e += s6 * (s6 - 1.0f) + w;
    p += f * dx + 0.5f * w * g;
    q += f * dy - 0.5f * w * g;
    r += f * dz + 0.125f * (g - w);
  }
  out[t] = p * q + r + e;
}

__global__ void large_body_16(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float p = in[t], q = in[t + 1], r = in[t + 2], e = 0.0f;
  for (int k = 0; k < 16; k++) {
    const float u = in[t + k * stride], v = in[t + k * stride + 7];
    const float dx = p - u, dy = q - v, dz = r - c;
    const float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    const float inv = rsqrtf(d2);
    const float s2 = inv * inv, s6 = s2 * s2 * s2;
    const float f = s6 * (s6 - 0.5f) * s2;
    const float g = u * v + c * f;
    const float w = g > 1.0f ? g * 0.25f : g * g + f;
    e += s6 * (s6 - 1.0f) + w;
    p += f * dx + 0.5f * w * g;
    q += f * dy - 0.5f * w * g;
    r += f * dz + 0.125f * (g - w);
  }
  out[t] = p * q + r + e;
}

__global__ void large_body_32(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float p = in[t], q = in[t + 1], r = in[t + 2], e = 0.0f;
  for (int k = 0; k < 32; k++) {
    const float u = in[t + k * stride], v = in[t + k * stride + 7];
    const float dx = p - u, dy = q - v, dz = r - c;
    const float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    const float inv = rsqrtf(d2);
    const float s2 = inv * inv, s6 = s2 * s2 * s2;
    const float f = s6 * (s6 - 0.5f) * s2;
    const float g = u * v + c * f;
    const float w = g > 1.0f ? g * 0.25f : g * g + f;
    e += s6 * (s6 - 1.0f) + w;
    p += f * dx + 0.5f * w * g;
    q += f * dy - 0.5f * w * g;
    r += f * dz + 0.125f * (g - w);
  }
  out[t] = p * q + r + e;
}

__global__ void large_body_64(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float p = in[t], q = in[t + 1], r = in[t + 2], e = 0.0f;
  for (int k = 0; k < 64; k++) {
    const float u = in[t + k * stride], v = in[t + k * stride + 7];
    const float dx = p - u, dy = q - v, dz = r - c;
    const float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    const float inv = rsqrtf(d2);
    const float s2 = inv * inv, s6 = s2 * s2 * s2;
    const float f = s6 * (s6 - 0.5f) * s2;
    const float g = u * v + c * f;
    const float w = g > 1.0f ? g * 0.25f : g * g + f;
    e += s6 * (s6 - 1.0f) + w;
    p += f * dx + 0.5f * w * g;
    q += f * dy - 0.5f * w * g;
    r += f * dz + 0.125f * (g - w);
  }
  out[t] = p * q + r + e;
}

__global__ void large_body_128(const float* in, float* out, float c, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float p = in[t], q = in[t + 1], r = in[t + 2], e = 0.0f;
  for (int k = 0; k < 128; k++) {
    const float u = in[t + k * stride], v = in[t + k * stride + 7];
    const float dx = p - u, dy = q - v, dz = r - c;
    const float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    const float inv = rsqrtf(d2);
    const float s2 = inv * inv, s6 = s2 * s2 * s2;
    const float f = s6 * (s6 - 0.5f) * s2;
    const float g = u * v + c * f;
    const float w = g > 1.0f ? g * 0.25f : g * g + f;
    e += s6 * (s6 - 1.0f) + w;
    p += f * dx + 0.5f * w * g;
    q += f * dy - 0.5f * w * g;
    r += f * dz + 0.125f * (g - w);
  }
  out[t] = p * q + r + e;
}
