// Integer mixing: hashes, checksums, block ciphers. Many rotations, few loads, state in registers or in tables.

__device__ inline unsigned rotl(unsigned x, int by) { return (x << by) | (x >> (32 - by)); }
__device__ inline unsigned long long rotl64(unsigned long long x, int by) { return (x << by) | (x >> (64 - by)); }

__global__ void mix_avalanche(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = in[i];
  h ^= h >> 16;
  h *= 0x7feb352du;
  h ^= h >> 15;
  h *= 0x846ca68bu;
  h ^= h >> 16;
  out[i] = h;
}

__global__ void fnv_strings(const char* text, const int* starts, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = 2166136261u;
  for (int k = starts[i]; k < starts[i + 1]; k++) {
    h ^= static_cast<unsigned char>(text[k]);
    h *= 16777619u;
  }
  out[i] = h;
}

// Words of four bytes, mixed one after another, with a tail of up to three.
__global__ void murmur_like(const unsigned char* data, unsigned* out, int length, unsigned seed, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned char* at = data + static_cast<long long>(i) * length;
  unsigned h = seed;
  int left = length;
  for (; left >= 4; left -= 4, at += 4) {
    unsigned k = at[0] | at[1] << 8 | at[2] << 16 | static_cast<unsigned>(at[3]) << 24;
    k *= 0xcc9e2d51u;
    k = rotl(k, 15);
    k *= 0x1b873593u;
    h ^= k;
    h = rotl(h, 13) * 5u + 0xe6546b64u;
  }
  unsigned k = 0;
  switch (left) {
    case 3: k ^= at[2] << 16;
    case 2: k ^= at[1] << 8;
    case 1: k ^= at[0]; h ^= rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u;
  }
  h ^= length;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  out[i] = h;
}

__global__ void xx_like_64(const unsigned long long* data, unsigned long long* out, int words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long p1 = 0x9e3779b185ebca87ull, p2 = 0xc2b2ae3d27d4eb4full, p3 = 0x165667b19e3779f9ull;
  unsigned long long lane[4] = {p1 + p2, p2, 0, 0 - p1};
  for (int w = 0; w + 4 <= words; w += 4)
    for (int k = 0; k < 4; k++) lane[k] = rotl64(lane[k] + data[(w + k) * n + i] * p2, 31) * p1;
  unsigned long long h = rotl64(lane[0], 1) + rotl64(lane[1], 7) + rotl64(lane[2], 12) + rotl64(lane[3], 18);
  for (int k = 0; k < 4; k++) h = (h ^ rotl64(lane[k] * p2, 31) * p1) * p1 + p3;
  h ^= h >> 33;
  h *= p2;
  h ^= h >> 29;
  out[i] = h;
}

#define SIP_ROUND(a, b, c, d) \
  a += b; b = rotl64(b, 13); b ^= a; a = rotl64(a, 32); \
  c += d; d = rotl64(d, 16); d ^= c; \
  a += d; d = rotl64(d, 21); d ^= a; \
  c += b; b = rotl64(b, 17); b ^= c; c = rotl64(c, 32);

__global__ void sip_like(const unsigned long long* data, unsigned long long* out, unsigned long long k0,
                         unsigned long long k1, int words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long a = k0 ^ 0x736f6d6570736575ull, b = k1 ^ 0x646f72616e646f6dull;
  unsigned long long c = k0 ^ 0x6c7967656e657261ull, d = k1 ^ 0x7465646279746573ull;
  for (int w = 0; w < words; w++) {
    const unsigned long long m = data[w * n + i];
    d ^= m;
    SIP_ROUND(a, b, c, d)
    SIP_ROUND(a, b, c, d)
    a ^= m;
  }
  c ^= 0xff;
  for (int r = 0; r < 4; r++) {
    SIP_ROUND(a, b, c, d)
  }
  out[i] = a ^ b ^ c ^ d;
}

// Sixteen words of state, twenty rounds of quarter rounds.
__device__ inline void quarter(unsigned& a, unsigned& b, unsigned& c, unsigned& d) {
  a += b; d = rotl(d ^ a, 16);
  c += d; b = rotl(b ^ c, 12);
  a += b; d = rotl(d ^ a, 8);
  c += d; b = rotl(b ^ c, 7);
}

__global__ void stream_cipher(const unsigned* key, unsigned* out, unsigned nonce, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned s[16], x[16];
  s[0] = 0x61707865u;
  s[1] = 0x3320646eu;
  s[2] = 0x79622d32u;
  s[3] = 0x6b206574u;
  for (int k = 0; k < 8; k++) s[4 + k] = key[k];
  s[12] = i;
  s[13] = 0;
  s[14] = nonce;
  s[15] = nonce ^ 0x5bd1e995u;
  for (int k = 0; k < 16; k++) x[k] = s[k];
  for (int round = 0; round < 10; round++) {
    quarter(x[0], x[4], x[8], x[12]);
    quarter(x[1], x[5], x[9], x[13]);
    quarter(x[2], x[6], x[10], x[14]);
    quarter(x[3], x[7], x[11], x[15]);
    quarter(x[0], x[5], x[10], x[15]);
    quarter(x[1], x[6], x[11], x[12]);
    quarter(x[2], x[7], x[8], x[13]);
    quarter(x[3], x[4], x[9], x[14]);
  }
  for (int k = 0; k < 16; k++) out[k * n + i] = x[k] + s[k];
}

__device__ __constant__ unsigned round_keys[64] = {
    0x52e6b438, 0xf2a74de4, 0x269e0d37, 0x6513270e, 0xa6a3a450, 0x0c5c7fd0, 0x128b2f33, 0xd23f0824, 0x892f902b, 0x1818e811,
    0x5d9dc9f8, 0x9531985d, 0x0ed90475, 0xe8e25d94, 0x81e74ef5, 0x36f675cc, 0x099950d8, 0x1600a35a, 0x6f03675a, 0x6b0d549b,
    0x11e20b8f, 0x3d9c1724, 0x1738f7d9, 0x8d116ece, 0x6cad4a26, 0x0f21ddb6, 0xd3ac94af, 0x90c192cf, 0x1fb17c23, 0xf28c105d,
    0x39263059, 0xa170b338, 0xa09f76b5, 0x953f48f1, 0xf29d0da9, 0x0fd630f1, 0x93bd04cf, 0x95e60af5, 0x658cda14, 0x0cb1e29c,
    0xf9ebdacc, 0x3898d190, 0x0becd7b0, 0x8e81973e, 0xdbc496cb, 0x2217bead, 0x4a23d596, 0x6b4cb242, 0x24ede6a4, 0x8a6a63ec,
    0x1e27a1c0, 0x92276658, 0x4ef8aa38, 0x8f6d0558, 0xd0eda82f, 0xae97ba94, 0x2e44158b, 0x1a61dbe2, 0x94e3bf91, 0x923a7369,
    0xa38fd547, 0x301850c5, 0x5f557203, 0x18f135d2};

__global__ void compress_sha_like(const unsigned* blocks, unsigned* digests, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned w[64];
  for (int k = 0; k < 16; k++) w[k] = blocks[k * n + i];
  for (int k = 16; k < 64; k++) {
    const unsigned s0 = rotl(w[k - 15], 25) ^ rotl(w[k - 15], 14) ^ (w[k - 15] >> 3);
    const unsigned s1 = rotl(w[k - 2], 15) ^ rotl(w[k - 2], 13) ^ (w[k - 2] >> 10);
    w[k] = w[k - 16] + s0 + w[k - 7] + s1;
  }
  unsigned h[8];
  for (int k = 0; k < 8; k++) h[k] = digests[k * n + i];
  unsigned a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], l = h[7];
  for (int k = 0; k < 64; k++) {
    const unsigned t1 = l + (rotl(e, 26) ^ rotl(e, 21) ^ rotl(e, 7)) + ((e & f) ^ (~e & g)) + round_keys[k] + w[k];
    const unsigned t2 = (rotl(a, 30) ^ rotl(a, 19) ^ rotl(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
    l = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  digests[i] = h[0] + a;
  digests[n + i] = h[1] + b;
  digests[2 * n + i] = h[2] + c;
  digests[3 * n + i] = h[3] + d;
  digests[4 * n + i] = h[4] + e;
  digests[5 * n + i] = h[5] + f;
  digests[6 * n + i] = h[6] + g;
  digests[7 * n + i] = h[7] + l;
}

// The same schedule in a ring of sixteen words.
__global__ void compress_ring(const unsigned* blocks, unsigned* digests, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned w[16], v[5];
#pragma unroll
  for (int k = 0; k < 16; k++) w[k] = blocks[k * n + i];
#pragma unroll
  for (int k = 0; k < 5; k++) v[k] = digests[k * n + i];
#pragma unroll
  for (int r = 0; r < 80; r++) {
    if (r >= 16) w[r % 16] = rotl(w[(r + 13) % 16] ^ w[(r + 8) % 16] ^ w[(r + 2) % 16] ^ w[r % 16], 1);
    const unsigned f = r < 20 ? (v[1] & v[2]) | (~v[1] & v[3]) : r < 40 ? v[1] ^ v[2] ^ v[3]
                     : r < 60 ? (v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3]) : v[1] ^ v[2] ^ v[3];
    const unsigned t = rotl(v[0], 5) + f + v[4] + w[r % 16] + (r < 20 ? 0x5a827999u : r < 40 ? 0x6ed9eba1u : r < 60 ? 0x8f1bbcdcu : 0xca62c1d6u);
    v[4] = v[3];
    v[3] = v[2];
    v[2] = rotl(v[1], 30);
    v[1] = v[0];
    v[0] = t;
  }
#pragma unroll
  for (int k = 0; k < 5; k++) digests[k * n + i] += v[k];
}

// 25 words of 64 bits, 24 rounds; rows are addressed through loops with modulo.
__global__ void sponge_25(unsigned long long* states, const unsigned long long* constants, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long s[25], column[5];
#pragma unroll
  for (int k = 0; k < 25; k++) s[k] = states[k * n + i];
  for (int round = 0; round < 24; round++) {
#pragma unroll
    for (int x = 0; x < 5; x++) column[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
#pragma unroll
    for (int x = 0; x < 5; x++) {
      const unsigned long long d = column[(x + 4) % 5] ^ rotl64(column[(x + 1) % 5], 1);
#pragma unroll
      for (int y = 0; y < 25; y += 5) s[y + x] ^= d;
    }
#pragma unroll
    for (int y = 0; y < 25; y += 5) {
      unsigned long long row[5];
#pragma unroll
      for (int x = 0; x < 5; x++) row[x] = rotl64(s[y + x], (7 * x + y + 3) % 63 + 1);
#pragma unroll
      for (int x = 0; x < 5; x++) s[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
    s[0] ^= constants[round];
  }
#pragma unroll
  for (int k = 0; k < 25; k++) states[k * n + i] = s[k];
}

__global__ void crc_bitwise(const unsigned char* data, unsigned* out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned crc = 0xffffffffu;
  for (int k = 0; k < length; k++) {
    crc ^= data[i * length + k];
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
  }
  out[i] = ~crc;
}

// A table of 16 entries made by every thread for itself, read at a run-time index.
__global__ void crc_private_table(const unsigned char* data, unsigned* out, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned table[16];
  for (unsigned k = 0; k < 16; k++) {
    unsigned c = k;
    for (int bit = 0; bit < 4; bit++) c = (c >> 1) ^ (0xedb88320u & (0u - (c & 1u)));
    table[k] = c;
  }
  unsigned crc = 0xffffffffu;
  for (int k = 0; k < length; k++) {
    crc ^= data[i * length + k];
    crc = table[crc & 15] ^ (crc >> 4);
    crc = table[crc & 15] ^ (crc >> 4);
  }
  out[i] = ~crc;
}

__global__ void substitute_bytes(const unsigned char* in, unsigned char* out, const unsigned char* keys, int n) {
  const unsigned char box[32] = {11, 28, 3, 22, 9, 17, 30, 4, 25, 0, 14, 7, 19, 31, 2, 12,
                                 26, 5, 21, 8, 16, 29, 1, 23, 13, 6, 20, 10, 27, 15, 24, 18};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned char x = in[i];
  for (int round = 0; round < 6; round++) {
    x ^= keys[round];
    x = static_cast<unsigned char>(box[x & 31] | (x & 0xe0));
    x = static_cast<unsigned char>((x << 3) | (x >> 5));
  }
  out[i] = x;
}

__global__ void tea_rounds(uint2* blocks, const unsigned* key, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned k0 = key[0], k1 = key[1], k2 = key[2], k3 = key[3];
  unsigned a = blocks[i].x, b = blocks[i].y, sum = 0;
  for (int r = 0; r < 32; r++) {
    sum += 0x9e3779b9u;
    a += ((b << 4) + k0) ^ (b + sum) ^ ((b >> 5) + k1);
    b += ((a << 4) + k2) ^ (a + sum) ^ ((a >> 5) + k3);
  }
  blocks[i] = make_uint2(a, b);
}

// A key schedule kept in a private array, read at an index that the data give.
__global__ void keyed_permutation(unsigned char* stream, const unsigned char* key, int key_length, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned char s[256];
  for (int k = 0; k < 256; k++) s[k] = static_cast<unsigned char>(k);
  int j = 0;
  for (int k = 0; k < 256; k++) {
    j = (j + s[k] + key[i * key_length + k % key_length]) & 255;
    const unsigned char kept = s[k];
    s[k] = s[j];
    s[j] = kept;
  }
  int a = 0, b = 0;
  for (int k = 0; k < length; k++) {
    a = (a + 1) & 255;
    b = (b + s[a]) & 255;
    const unsigned char kept = s[a];
    s[a] = s[b];
    s[b] = kept;
    stream[i * length + k] ^= s[(s[a] + s[b]) & 255];
  }
}

__global__ void hash_table_insert(const unsigned* keys, unsigned* table, int* slots, unsigned size, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned at = (key * 2654435769u) % size;
  for (unsigned tries = 0; tries < size; tries++) {
    const unsigned old = atomicCAS(&table[at], 0xffffffffu, key);
    if (old == 0xffffffffu || old == key) {
      slots[i] = static_cast<int>(at);
      return;
    }
    at = at + 1 == size ? 0 : at + 1;
  }
  slots[i] = -1;
}
