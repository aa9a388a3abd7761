// Numbers of many words: additions with carries, products, modular arithmetic.

__global__ void add_256(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long carry = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    carry += static_cast<unsigned long long>(a[k * n + i]) + b[k * n + i];
    c[k * n + i] = static_cast<unsigned>(carry);
    carry >>= 32;
  }
}

__global__ void mul_256(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x[8], y[8], z[16];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    x[k] = a[k * n + i];
    y[k] = b[k * n + i];
  }
#pragma unroll
  for (int k = 0; k < 16; k++) z[k] = 0;
#pragma unroll
  for (int j = 0; j < 8; j++) {
    unsigned long long carry = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
      carry += static_cast<unsigned long long>(x[j]) * y[k] + z[j + k];
      z[j + k] = static_cast<unsigned>(carry);
      carry >>= 32;
    }
    z[j + 8] = static_cast<unsigned>(carry);
  }
#pragma unroll
  for (int k = 0; k < 16; k++) c[k * n + i] = z[k];
}

// The same product by columns, with a sum of 96 bits.
__global__ void mul_256_columns(const unsigned* a, const unsigned* b, unsigned* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x[8], y[8];
  for (int k = 0; k < 8; k++) {
    x[k] = a[k * n + i];
    y[k] = b[k * n + i];
  }
  unsigned long long low = 0;
  unsigned high = 0;
  for (int column = 0; column < 15; column++) {
    for (int j = 0; j < 8; j++) {
      const int k = column - j;
      if (k < 0 || k > 7) continue;
      const unsigned long long p = static_cast<unsigned long long>(x[j]) * y[k];
      low += p;
      high += low < p;
    }
    c[column * n + i] = static_cast<unsigned>(low);
    low = (low >> 32) | (static_cast<unsigned long long>(high) << 32);
    high = 0;
  }
  c[15 * n + i] = static_cast<unsigned>(low);
}

// Montgomery product of 256-bit numbers.
__global__ void montgomery_256(const unsigned* a, const unsigned* b, unsigned* c, const unsigned* modulus, unsigned inverse, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x[8], m[8], t[10];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    x[k] = a[k * n + i];
    m[k] = modulus[k];
  }
#pragma unroll
  for (int k = 0; k < 10; k++) t[k] = 0;
#pragma unroll
  for (int j = 0; j < 8; j++) {
    const unsigned y = b[j * n + i];
    unsigned long long carry = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
      carry += static_cast<unsigned long long>(x[k]) * y + t[k];
      t[k] = static_cast<unsigned>(carry);
      carry >>= 32;
    }
    carry += t[8];
    t[8] = static_cast<unsigned>(carry);
    t[9] = static_cast<unsigned>(carry >> 32);
    const unsigned q = t[0] * inverse;
    carry = static_cast<unsigned long long>(q) * m[0] + t[0];
    carry >>= 32;
#pragma unroll
    for (int k = 1; k < 8; k++) {
      carry += static_cast<unsigned long long>(q) * m[k] + t[k];
      t[k - 1] = static_cast<unsigned>(carry);
      carry >>= 32;
    }
    carry += t[8];
    t[7] = static_cast<unsigned>(carry);
    t[8] = t[9] + static_cast<unsigned>(carry >> 32);
  }
  unsigned borrow = 0, d[8];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    const unsigned long long s = static_cast<unsigned long long>(t[k]) - m[k] - borrow;
    d[k] = static_cast<unsigned>(s);
    borrow = static_cast<unsigned>(s >> 63);
  }
  const bool keep = borrow > t[8];
#pragma unroll
  for (int k = 0; k < 8; k++) c[k * n + i] = keep ? t[k] : d[k];
}

// Numbers of a length that the caller gives, in private memory.
__global__ void long_division(const unsigned* numbers, unsigned* quotients, unsigned* rests, int words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned value[64];
  for (int k = 0; k < words; k++) value[k] = numbers[k * n + i];
  const unsigned divisor = rests[i] | 1u;
  unsigned long long rest = 0;
  for (int k = words - 1; k >= 0; k--) {
    rest = (rest << 32) | value[k];
    value[k] = static_cast<unsigned>(rest / divisor);
    rest %= divisor;
  }
  for (int k = 0; k < words; k++) quotients[k * n + i] = value[k];
  rests[i] = static_cast<unsigned>(rest);
}

__device__ unsigned long long multiply_mod(unsigned long long a, unsigned long long b, unsigned long long m) {
  unsigned long long r = 0;
  while (b) {
    if (b & 1) r = (r + a) % m;
    a = (a << 1) % m;
    b >>= 1;
  }
  return r;
}

__global__ void power_mod_64(const unsigned long long* base, const unsigned long long* exponent, unsigned long long* out,
                             unsigned long long modulus, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long x = base[i] % modulus, e = exponent[i], r = 1;
  while (e) {
    if (e & 1) r = multiply_mod(r, x, modulus);
    x = multiply_mod(x, x, modulus);
    e >>= 1;
  }
  out[i] = r;
}

__global__ void power_mod_32(const unsigned* base, unsigned* out, unsigned exponent, unsigned modulus, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long x = base[i], r = 1;
  for (unsigned e = exponent; e; e >>= 1) {
    if (e & 1) r = r * x % modulus;
    x = x * x % modulus;
  }
  out[i] = static_cast<unsigned>(r);
}

__global__ void gcd_pairs(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = a[i], y = b[i];
  while (y) {
    const unsigned r = x % y;
    x = y;
    y = r;
  }
  out[i] = x;
}

__global__ void mul_128(const unsigned long long* a, const unsigned long long* b, ulonglong2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long x = a[i], y = b[i];
  out[i] = make_ulonglong2(x * y, __umul64hi(x, y));
}

// Double-double: a number in two doubles.
__global__ void dd_axpy(const double2* x, double2* y, double2 a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double2 u = x[i], v = y[i];
  double p = a.x * u.x;
  double e = fma(a.x, u.x, -p);
  e += a.x * u.y + a.y * u.x;
  const double s = p + v.x, b = s - p;
  double t = (p - (s - b)) + (v.x - b);
  t += e + v.y;
  const double r = s + t;
  y[i] = make_double2(r, t - (r - s));
}

struct Fixed512 {
  unsigned long long word[8];
};

__global__ void shift_512(const Fixed512* in, Fixed512* out, int by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Fixed512 x = in[i];
  Fixed512 y;
  const int words = by / 64, bits = by % 64;
  for (int k = 0; k < 8; k++) {
    const unsigned long long low = k - words >= 0 ? x.word[k - words] : 0;
    const unsigned long long below = k - words - 1 >= 0 ? x.word[k - words - 1] : 0;
    y.word[k] = bits ? (low << bits) | (below >> (64 - bits)) : low;
  }
  out[i] = y;
}

__global__ void mul_512(const unsigned long long* a, const unsigned long long* b, unsigned long long* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long x[8], y[8], z[16] = {};
  for (int k = 0; k < 8; k++) {
    x[k] = a[k * n + i];
    y[k] = b[k * n + i];
  }
  for (int j = 0; j < 8; j++) {
    unsigned long long carry = 0;
    for (int k = 0; k < 8; k++) {
      const unsigned long long low = x[j] * y[k], high = __umul64hi(x[j], y[k]);
      const unsigned long long s = z[j + k] + low;
      const unsigned long long t = s + carry;
      carry = high + (s < low) + (t < s);
      z[j + k] = t;
    }
    z[j + 8] = carry;
  }
  for (int k = 0; k < 16; k++) c[k * n + i] = z[k];
}
