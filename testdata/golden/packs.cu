// Values that move as something else: memcpy of a fixed size, vectors read through casts, unions, bit casts.
#include "common.h"
#include <cstdint>

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
  T lanes[N];
};

template <int N>
__global__ void pack_scale(const float* in, float* out, float s, int n) {
  const int i = INDEX * N;
  if (i >= n) return;
  const Pack<float, N> a = *reinterpret_cast<const Pack<float, N>*>(in + i);
  Pack<float, N> b;
#pragma unroll
  for (int k = 0; k < N; k++) b.lanes[k] = a.lanes[k] * s + 1.0f;
  *reinterpret_cast<Pack<float, N>*>(out + i) = b;
}
template __global__ void pack_scale<4>(const float*, float*, float, int);
template __global__ void pack_scale<8>(const float*, float*, float, int);
template __global__ void pack_scale<16>(const float*, float*, float, int);

template <int N>
__global__ void pack_blend(const float* a, const float* b, const float* c, float* out, int n) {
  const int i = INDEX;
  if (i * N >= n) return;
  const auto* pa = reinterpret_cast<const Pack<float, N>*>(a);
  const auto* pb = reinterpret_cast<const Pack<float, N>*>(b);
  const auto* pc = reinterpret_cast<const Pack<float, N>*>(c);
  const Pack<float, N> x = pa[i], y = pb[i], z = pc[i];
  Pack<float, N> r;
#pragma unroll
  for (int k = 0; k < N; k++) r.lanes[k] = x.lanes[k] * y.lanes[N - 1 - k] + z.lanes[k];
  reinterpret_cast<Pack<float, N>*>(out)[i] = r;
}
template __global__ void pack_blend<4>(const float*, const float*, const float*, float*, int);
template __global__ void pack_blend<8>(const float*, const float*, const float*, float*, int);

__global__ void array_from_vectors(const float* in, float* out, int n) {
  const int i = INDEX * 16;
  if (i >= n) return;
  float v[16];
#pragma unroll
  for (int k = 0; k < 4; k++) *reinterpret_cast<float4*>(&v[4 * k]) = *reinterpret_cast<const float4*>(&in[i + 4 * k]);
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; k++) sum += v[k] * v[k];
#pragma unroll
  for (int k = 0; k < 16; k++) v[k] *= sum;
#pragma unroll
  for (int k = 0; k < 4; k++) *reinterpret_cast<float4*>(&out[i + 4 * k]) = *reinterpret_cast<float4*>(&v[4 * k]);
}

__global__ void array_through_pointer(const float4* in, float4* out, int n) {
  const int i = INDEX;
  if (i >= n) return;
  float4 v[3] = {in[i], in[i + n], in[i + 2 * n]};
  float* p = reinterpret_cast<float*>(v);
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 12; k++) sum += p[k] * p[11 - k];
#pragma unroll
  for (int k = 0; k < 12; k++) p[k] -= sum;
  out[i] = v[0];
  out[i + n] = v[1];
  out[i + 2 * n] = v[2];
}

__global__ void copied_in(const float* in, float* out, int n) {
  const int i = INDEX * 8;
  if (i >= n) return;
  float v[8];
  memcpy(v, in + i, sizeof(v));
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += v[k] * v[7 - k];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] += sum;
  memcpy(out + i, v, 8 * sizeof(float));
}

struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void copied_struct(const char* in, char* out, float dt, int n) {
  const int i = INDEX;
  if (i >= n) return;
  Particle p;
  memcpy(&p, in + i * sizeof(Particle), sizeof(p));
  p.x += p.vx * dt;
  p.y += p.vy * dt;
  p.z += p.vz * dt;
  p.charge *= p.mass;
  memcpy(out + i * sizeof(Particle), &p, sizeof(Particle));
}

__global__ void bytes_of_words(const uint32_t* in, uint8_t* out, int n) {
  const int i = INDEX;
  if (i >= n) return;
  uint32_t words[4];
#pragma unroll
  for (int k = 0; k < 4; k++) words[k] = in[i * 4 + k];
  const uint8_t* bytes = reinterpret_cast<const uint8_t*>(words);
  uint8_t sum = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) sum += bytes[k] * (k + 1);
#pragma unroll
  for (int k = 0; k < 16; k++) out[i * 16 + k] = bytes[k] ^ sum;
}

__global__ void halves_of_doubles(const double* in, double* out, int n) {
  const int i = INDEX;
  if (i >= n) return;
  const double v = in[i];
  uint64_t bits;
  memcpy(&bits, &v, sizeof(bits));
  const uint32_t high = bits >> 32, low = bits & 0xffffffffu;
  const uint64_t mixed = (static_cast<uint64_t>(low ^ high) << 32) | (high + low);
  double result;
  memcpy(&result, &mixed, sizeof(result));
  out[i] = result * v;
}

union Quad {
  float4 whole;
  float lanes[4];
};

__global__ void union_lanes(const float4* in, float4* out, int n) {
  const int i = INDEX;
  if (i >= n) return;
  Quad a, b;
  a.whole = in[i];
  b.whole = in[i + n];
#pragma unroll
  for (int k = 0; k < 4; k++) a.lanes[k] = a.lanes[k] * b.lanes[3 - k] + b.lanes[k];
  out[i] = a.whole;
}

union Bits {
  float value;
  uint32_t word;
};

__global__ void union_bits(const float* in, float* out, int n) {
  const int i = INDEX;
  if (i >= n) return;
  Bits b;
  b.value = in[i];
  b.word = 0x5f3759dfu - (b.word >> 1);
  const float x = b.value;
  out[i] = x * (1.5f - 0.5f * in[i] * x * x);
}

union Chunk {
  uint4 vectors[2];
  float numbers[8];
};

__global__ void union_chunks(const uint4* in, uint4* out, float s, int n) {
  const int i = INDEX;
  if (i >= n) return;
  Chunk a, b;
#pragma unroll
  for (int k = 0; k < 2; k++) {
    a.vectors[k] = in[i * 2 + k];
    b.vectors[k] = in[i * 2 + k + n];
  }
#pragma unroll
  for (int k = 0; k < 8; k++) a.numbers[k] = a.numbers[k] * s + b.numbers[7 - k] * a.numbers[k];
#pragma unroll
  for (int k = 0; k < 2; k++) out[i * 2 + k] = a.vectors[k];
}

template <typename To, typename From>
__device__ To bit_cast_of(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

__global__ void cast_vectors(const uint4* in, float* out, int n) {
  const int i = INDEX;
  if (i >= n) return;
  const float4 a = bit_cast_of<float4>(in[i]), b = bit_cast_of<float4>(in[i + n]);
  const Pack<float, 4> c = bit_cast_of<Pack<float, 4>>(in[i + 2 * n]);
  out[i] = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w + c.lanes[0] * c.lanes[1] + c.lanes[2] * c.lanes[3];
}

__global__ void tile_by_vectors(const float* in, float* out, int width) {
  __shared__ float tile[64 * 16];
  const int t = threadIdx.x;
  reinterpret_cast<float4*>(tile)[t] = reinterpret_cast<const float4*>(in)[blockIdx.x * 256 + t];
  __syncthreads();
  float a[8];
  *reinterpret_cast<float4*>(a) = *reinterpret_cast<const float4*>(&tile[(t & 63) * 16]);
  *reinterpret_cast<float4*>(a + 4) = *reinterpret_cast<const float4*>(&tile[(t & 63) * 16 + 8]);
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += a[k] * a[7 - k];
#pragma unroll
  for (int k = 0; k < 8; k++) out[(blockIdx.x * 8 + k) * width + t] = a[k] * sum;
}

template <int N>
__global__ void bytes_to_floats(const uint8_t* in, float* out, float s, int n) {
  const int i = INDEX * N;
  if (i >= n) return;
  Pack<uint8_t, N> p = *reinterpret_cast<const Pack<uint8_t, N>*>(in + i);
  float v[N];
#pragma unroll
  for (int k = 0; k < N; k++) v[k] = p.lanes[k] * s;
#pragma unroll
  for (int k = 0; k < N; k += 4) *reinterpret_cast<float4*>(out + i + k) = make_float4(v[k], v[k + 1], v[k + 2], v[k + 3]);
}
template __global__ void bytes_to_floats<8>(const uint8_t*, float*, float, int);
template __global__ void bytes_to_floats<16>(const uint8_t*, float*, float, int);
