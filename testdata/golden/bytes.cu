// Bytes, unions, bit fields, volatile, memcpy: values that are looked at as something else.

union Word {
  unsigned all;
  unsigned char byte[4];
  float number;
};

__global__ void swap_bytes(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Word w;
  w.all = in[i];
  unsigned char kept = w.byte[0];
  w.byte[0] = w.byte[3];
  w.byte[3] = kept;
  kept = w.byte[1];
  w.byte[1] = w.byte[2];
  w.byte[2] = kept;
  out[i] = w.all;
}

__global__ void pick_byte(const unsigned* in, const int* which, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Word w;
  w.all = in[i];
  out[i] = w.byte[which[i] & 3];
}

__global__ void fast_inverse_root(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Word w;
  w.number = in[i];
  w.all = 0x5f3759dfu - (w.all >> 1);
  out[i] = w.number * (1.5f - 0.5f * in[i] * w.number * w.number);
}

__global__ void bits_of_floats(const float* in, int* exponent, unsigned* mantissa, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned u = __float_as_uint(in[i]);
  exponent[i] = static_cast<int>((u >> 23) & 255u) - 127;
  mantissa[i] = u & 0x7fffffu;
}

__global__ void rgba_to_grey(const uchar4* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uchar4 p = in[i];
  out[i] = static_cast<unsigned char>((77 * p.x + 150 * p.y + 29 * p.z) >> 8);
}

__global__ void load_as_wide(const unsigned char* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint4 v = reinterpret_cast<const uint4*>(in)[i];
  const unsigned char* byte = reinterpret_cast<const unsigned char*>(&v);
#pragma unroll
  for (int k = 0; k < 16; k++) out[k * n + i] = byte[k] * (1.0f / 255.0f);
}

__global__ void copy_packet(const unsigned char* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned char packet[64];
  memcpy(packet, in + 64 * i, 64);
  unsigned sum = 0;
  for (int k = 0; k < 60; k++) sum += packet[k];
  memcpy(packet + 60, &sum, 4);
  memcpy(out + 64 * i, packet, 64);
}

struct Header {
  unsigned char version, flags;
  unsigned short length;
  unsigned id;
  unsigned long long stamp;
};

__global__ void parse_headers(const unsigned char* in, unsigned* ids, unsigned long long* stamps, int* bad, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Header h;
  memcpy(&h, in + i * sizeof(Header), sizeof(Header));
  ids[i] = h.id;
  stamps[i] = h.stamp;
  bad[i] = h.version != 4 || (h.flags & 3) == 0 || h.length > 1500;
}

struct Packed {
  unsigned kind : 3, level : 5, count : 12, colour : 12;
};

__global__ void bit_fields(const Packed* in, Packed* out, int* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Packed p = in[i];
  p.count += 1;
  p.level = p.kind > 4 ? p.level + 1 : 0;
  p.colour ^= p.count;
  out[i] = p;
  total[i] = p.count * p.level;
}

__global__ void volatile_sum(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile float part[4];
  for (int k = 0; k < 4; k++) part[k] = in[k * n + i];
  part[0] = part[0] + part[2];
  part[1] = part[1] + part[3];
  out[i] = part[0] + part[1];
}

__global__ void volatile_scalar(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int seen = in[i];
  int sum = 0;
  for (int k = 0; k < 4; k++) sum += seen;
  out[i] = sum;
}

__global__ void half_precision_pairs(const unsigned* in, float2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value[2];
  for (int k = 0; k < 2; k++) {
    const unsigned h = (in[i] >> (16 * k)) & 0xffffu;
    const unsigned sign = (h & 0x8000u) << 16, exponent = (h >> 10) & 31u, mantissa = h & 0x3ffu;
    unsigned bits = sign;
    if (exponent == 31) bits |= 0x7f800000u | (mantissa << 13);
    else if (exponent) bits |= ((exponent + 112) << 23) | (mantissa << 13);
    value[k] = __uint_as_float(bits);
  }
  out[i] = make_float2(value[0], value[1]);
}

__global__ void bfloat_pack(const float4* in, uint2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = in[i];
  const unsigned a = __float_as_uint(v.x), b = __float_as_uint(v.y), c = __float_as_uint(v.z), d = __float_as_uint(v.w);
  const unsigned low = ((a + 0x7fffu + ((a >> 16) & 1u)) >> 16) | ((b + 0x7fffu + ((b >> 16) & 1u)) & 0xffff0000u);
  const unsigned high = ((c + 0x7fffu + ((c >> 16) & 1u)) >> 16) | ((d + 0x7fffu + ((d >> 16) & 1u)) & 0xffff0000u);
  out[i] = make_uint2(low, high);
}

__global__ void morton_encode(const int3* cell, unsigned* code, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v[3] = {static_cast<unsigned>(cell[i].x), static_cast<unsigned>(cell[i].y), static_cast<unsigned>(cell[i].z)};
  for (int d = 0; d < 3; d++) {
    v[d] = (v[d] | (v[d] << 16)) & 0x030000ffu;
    v[d] = (v[d] | (v[d] << 8)) & 0x0300f00fu;
    v[d] = (v[d] | (v[d] << 4)) & 0x030c30c3u;
    v[d] = (v[d] | (v[d] << 2)) & 0x09249249u;
  }
  code[i] = v[0] | (v[1] << 1) | (v[2] << 2);
}

__global__ void base64_encode(const unsigned char* in, char* out, int groups) {
  const char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  const unsigned v = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  for (int k = 0; k < 4; k++) out[4 * i + k] = digits[(v >> (18 - 6 * k)) & 63];
}

struct Big {
  double value[6];
  int tag;
};

__global__ void copy_of_struct(const Big* in, Big* out, const int* from, double s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Big mine = in[from[i]];
  for (int k = 0; k < 6; k++) mine.value[k] *= s;
  mine.tag = i;
  out[i] = mine;
}

__global__ void struct_indexed(const Big* in, double* out, const int* which, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Big mine = in[i];
  mine.value[which[i]] = 0.0;
  double sum = 0.0;
  for (int k = 0; k < 6; k++) sum += mine.value[k];
  out[i] = sum;
}

struct Settings {
  float weight[12];
  int steps, stride;
};

__global__ void settings_by_value(const float* in, float* out, Settings s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < s.steps; k++) sum += s.weight[k] * in[i + k * s.stride];
  out[i] = sum;
}

__global__ void settings_changed(const float* in, float* out, Settings s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s.weight[i % 12] += in[i];
  float sum = 0.0f;
  for (int k = 0; k < 12; k++) sum += s.weight[k] * in[i + k * s.stride];
  out[i] = sum;
}
