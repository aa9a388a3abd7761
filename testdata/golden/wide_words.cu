// Words of 32 bits in integers of 64, indices without a sign, and macros that are defined anew on the way.

#define ROTATE(x, by) ((x << by) | ((x & 0xFFFFFFFFull) >> (32 - by)))
#define STEP(t) (held = w[(t + 13) & 15] ^ w[(t + 8) & 15] ^ w[t & 15], (w[t & 15] = ROTATE(held, 1)))
#define ROUND(a, b, c, d, e, x)                        \
  {                                                    \
    e += ROTATE(a, 5) + MIX(b, c, d) + CONSTANT + x;   \
    b = ROTATE(b, 30);                                 \
  }
#define FIVE(t)                         \
  ROUND(a, b, c, d, e, STEP(t));        \
  ROUND(e, a, b, c, d, STEP((t + 1)));  \
  ROUND(d, e, a, b, c, STEP((t + 2)));  \
  ROUND(c, d, e, a, b, STEP((t + 3)));  \
  ROUND(b, c, d, e, a, STEP((t + 4)))

typedef unsigned long long Wide;

// Sixteen words and five of state, all 64 bits wide; what is written has 32.
__global__ void digest_in_wide_words(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Wide w[16], held, a = 0x67452301, b = 0xEFCDAB89, c = 0x98BADCFE, d = 0x10325476, e = 0xC3D2E1F0;
#pragma unroll
  for (int k = 0; k < 16; k++) w[k] = in[16 * i + k];
#define MIX(x, y, z) (z ^ (x & (y ^ z)))
#define CONSTANT 0x5A827999
  FIVE(0);
  FIVE(5);
  FIVE(10);
  FIVE(15);
#undef MIX
#undef CONSTANT
#define MIX(x, y, z) (x ^ y ^ z)
#define CONSTANT 0x6ED9EBA1
  FIVE(20);
  FIVE(25);
  FIVE(30);
  FIVE(35);
  out[5 * i] = static_cast<unsigned>(a);
  out[5 * i + 1] = static_cast<unsigned>(b);
  out[5 * i + 2] = static_cast<unsigned>(c);
  out[5 * i + 3] = static_cast<unsigned>(d);
  out[5 * i + 4] = static_cast<unsigned>(e);
}

// The same in words that are as wide as what they hold.
__global__ void digest_in_narrow_words(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned w[16], held, a = 0x67452301, b = 0xEFCDAB89, c = 0x98BADCFE, d = 0x10325476, e = 0xC3D2E1F0;
#pragma unroll
  for (int k = 0; k < 16; k++) w[k] = in[16 * i + k];
  FIVE(0);
  FIVE(5);
  FIVE(10);
  FIVE(15);
  FIVE(20);
  FIVE(25);
  FIVE(30);
  FIVE(35);
  out[5 * i] = a;
  out[5 * i + 1] = b;
  out[5 * i + 2] = c;
  out[5 * i + 3] = d;
  out[5 * i + 4] = e;
}

// All 64 bits count: nothing is saved.
__global__ void digest_of_wide_words(const Wide* in, Wide* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Wide sum = 0, product = 1;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    const Wide word = in[8 * i + k];
    sum += word ^ (sum >> 7);
    product = product * (word | 1) + (sum << 3);
  }
  out[2 * i] = sum;
  out[2 * i + 1] = product;
}

// Limbs of 32 bits with a carry in the upper half, which counts.
__global__ void add_limbs_with_carry(const unsigned* x, const unsigned* y, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Wide carry = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    carry += static_cast<Wide>(x[8 * i + k]) + y[8 * i + k];
    out[8 * i + k] = static_cast<unsigned>(carry);
    carry >>= 32;
  }
}

// Products of which the low halves are asked for.
__global__ void low_products(const Wide* x, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Wide h[6];
#pragma unroll
  for (int k = 0; k < 6; k++) h[k] = x[6 * i + k];
#pragma unroll
  for (int r = 0; r < 4; r++) {
#pragma unroll
    for (int k = 0; k < 6; k++) h[k] = h[k] * 0x9E3779B1ull + (h[(k + 1) % 6] ^ (h[(k + 5) % 6] << 9));
  }
#pragma unroll
  for (int k = 0; k < 6; k++) out[6 * i + k] = static_cast<unsigned>(h[k]);
}

// Reads a block apart: a sum without a sign may wrap around, and every read has an address of its own.
__global__ void sum_4_signed(const float* in, float* out) {
  const int i = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) sum += in[i + k * 256];
  out[i] = sum;
}

__global__ void sum_4_unsigned(const float* in, float* out) {
  const unsigned i = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) sum += in[i + k * 256];
  out[i] = sum;
}

__global__ void sum_12_signed(const float* in, float* out) {
  const int i = blockIdx.x * (blockDim.x * 12) + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 12; k++) sum += in[i + k * 256];
  out[i] = sum;
}

__global__ void sum_12_unsigned(const float* in, float* out) {
  const unsigned i = blockIdx.x * (blockDim.x * 12) + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 12; k++) sum += in[i + k * 256];
  out[i] = sum;
}

__global__ void sum_24_signed(const float* in, float* out) {
  const int i = blockIdx.x * (blockDim.x * 24) + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 24; k++) sum += in[i + k * 256];
  out[i] = sum;
}

__global__ void sum_24_unsigned(const float* in, float* out) {
  const unsigned i = blockIdx.x * (blockDim.x * 24) + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 24; k++) sum += in[i + k * 256];
  out[i] = sum;
}

// A neighbour on either side, by an index without a sign.
__global__ void neighbours_unsigned(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i + 1 >= n) return;
  out[i] = in[i - 1] + 2.0f * in[i] + in[i + 1];
}

// A thread's own id is small: nothing wraps around.
__global__ void neighbours_of_thread(const float* in, float* out) {
  const unsigned t = threadIdx.x;
  out[t] = in[t] + in[t + 1] + in[t + 256] + in[t + 512];
}
