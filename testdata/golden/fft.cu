// Butterflies: transforms of 2 to 64 points in registers, passes through LDS, real and cosine transforms.

struct Cplx {
  float re, im;
};

__device__ inline Cplx operator+(Cplx a, Cplx b) { return {a.re + b.re, a.im + b.im}; }
__device__ inline Cplx operator-(Cplx a, Cplx b) { return {a.re - b.re, a.im - b.im}; }
__device__ inline Cplx operator*(Cplx a, Cplx b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
__device__ inline Cplx turned(Cplx a) { return {a.im, -a.re}; }

__device__ inline void butterfly2(Cplx& a, Cplx& b) {
  const Cplx t = a - b;
  a = a + b;
  b = t;
}

__device__ inline void fft4(Cplx* v) {
  butterfly2(v[0], v[2]);
  butterfly2(v[1], v[3]);
  v[3] = turned(v[3]);
  butterfly2(v[0], v[1]);
  butterfly2(v[2], v[3]);
}

__device__ inline void fft8(Cplx* v) {
  const float h = 0.70710678f;
  for (int k = 0; k < 4; k++) butterfly2(v[k], v[k + 4]);
  v[5] = Cplx{h, -h} * v[5];
  v[6] = turned(v[6]);
  v[7] = Cplx{-h, -h} * v[7];
  fft4(v);
  fft4(v + 4);
}

__global__ void fft2_points(Cplx* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) butterfly2(data[i], data[i + n]);
}

__global__ void fft4_points(Cplx* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cplx v[4];
  for (int k = 0; k < 4; k++) v[k] = data[k * n + i];
  fft4(v);
  for (int k = 0; k < 4; k++) data[k * n + i] = v[k];
}

__global__ void fft8_points(Cplx* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cplx v[8];
  for (int k = 0; k < 8; k++) v[k] = data[k * n + i];
  fft8(v);
  for (int k = 0; k < 8; k++) data[k * n + i] = v[k];
}

__global__ void fft16_points(Cplx* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cplx v[16];
#pragma unroll
  for (int k = 0; k < 16; k++) v[k] = data[k * n + i];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    butterfly2(v[k], v[k + 8]);
    const float angle = -0.39269908f * k;
    v[k + 8] = v[k + 8] * Cplx{__cosf(angle), __sinf(angle)};
  }
  fft8(v);
  fft8(v + 8);
#pragma unroll
  for (int k = 0; k < 16; k++) data[k * n + i] = v[k];
}

// 64 points in one thread, as loops over stages that can be unrolled completely.
__global__ void fft64_registers(const float2* in, float2* out, const float2* twiddles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float re[64], im[64];
#pragma unroll
  for (int k = 0; k < 64; k++) {
    const float2 v = in[k * n + i];
    re[k] = v.x;
    im[k] = v.y;
  }
#pragma unroll
  for (int half = 32; half > 0; half /= 2)
#pragma unroll
    for (int k = 0; k < 64; k++)
      if ((k & half) == 0) {
        const float2 w = twiddles[(k & (half - 1)) * (32 / half)];
        const float ar = re[k] + re[k + half], ai = im[k] + im[k + half];
        const float br = re[k] - re[k + half], bi = im[k] - im[k + half];
        re[k] = ar;
        im[k] = ai;
        re[k + half] = br * w.x - bi * w.y;
        im[k + half] = br * w.y + bi * w.x;
      }
#pragma unroll
  for (int k = 0; k < 64; k++) out[k * n + i] = make_float2(re[k], im[k]);
}

// The same with loops that stay loops: the arrays are indexed at run time.
__global__ void fft64_memory(const float2* in, float2* out, const float2* twiddles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float re[64], im[64];
  for (int k = 0; k < 64; k++) {
    const float2 v = in[k * n + i];
    re[k] = v.x;
    im[k] = v.y;
  }
  for (int half = 32; half > 0; half /= 2) {
#pragma unroll 1
    for (int j = 0; j < 32; j++) {
      const int k = (j / half) * 2 * half + j % half;
      const float2 w = twiddles[(j % half) * (32 / half)];
      const float br = re[k] - re[k + half], bi = im[k] - im[k + half];
      re[k] += re[k + half];
      im[k] += im[k + half];
      re[k + half] = br * w.x - bi * w.y;
      im[k + half] = br * w.y + bi * w.x;
    }
  }
  for (int k = 0; k < 64; k++) out[k * n + i] = make_float2(re[k], im[k]);
}

__global__ void fft_pass_radix2(const float2* in, float2* out, int half, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const int k = i & (half - 1);
  const float2 a = in[i], b = in[i + n / 2];
  float s, c;
  sincosf(-3.14159265f * k / half, &s, &c);
  const float br = b.x * c - b.y * s, bi = b.x * s + b.y * c;
  const int to = ((i - k) << 1) + k;
  out[to] = make_float2(a.x + br, a.y + bi);
  out[to + half] = make_float2(a.x - br, a.y - bi);
}

__global__ void fft_pass_radix4(const Cplx* in, Cplx* out, int quarter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  const int k = i & (quarter - 1);
  Cplx v[4];
  const float angle = -1.5707963f * k / quarter;
#pragma unroll
  for (int j = 0; j < 4; j++) {
    v[j] = in[i + j * (n / 4)];
    float s, c;
    __sincosf(angle * j, &s, &c);
    v[j] = v[j] * Cplx{c, s};
  }
  fft4(v);
  const int to = ((i - k) << 2) + k;
  out[to] = v[0];
  out[to + quarter] = v[2];
  out[to + 2 * quarter] = v[1];
  out[to + 3 * quarter] = v[3];
}

// 512 points a block of 64 threads: three rounds of eight points, exchanged through LDS.
__global__ void fft512_shared(Cplx* data) {
  __shared__ float re[512], im[512];
  const int t = threadIdx.x;
  Cplx* mine = data + blockIdx.x * 512;
  Cplx v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = mine[k * 64 + t];
  fft8(v);
#pragma unroll
  for (int round = 0; round < 2; round++) {
    const int group = round == 0 ? t : t / 8;
    const float step = -6.2831853f / (round == 0 ? 512 : 64);
#pragma unroll
    for (int k = 1; k < 8; k++) {
      float s, c;
      __sincosf(step * group * k, &s, &c);
      v[k] = v[k] * Cplx{c, s};
    }
#pragma unroll
    for (int k = 0; k < 8; k++) {
      re[k * 64 + t] = v[k].re;
      im[k * 64 + t] = v[k].im;
    }
    __syncthreads();
    const int from = round == 0 ? (t / 8) * 64 + t % 8 : t * 8;
    const int by = round == 0 ? 8 : 1;
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = Cplx{re[from + k * by], im[from + k * by]};
    __syncthreads();
    fft8(v);
  }
#pragma unroll
  for (int k = 0; k < 8; k++) mine[k * 64 + t] = v[k];
}

__global__ void dct8_rows(const float* in, float* out, int blocks) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks * 8) return;
  float x[8], y[8];
  for (int k = 0; k < 8; k++) x[k] = in[i * 8 + k];
  for (int k = 0; k < 8; k++) {
    float sum = 0.0f;
    for (int j = 0; j < 8; j++) sum += x[j] * cosf(0.19634954f * k * (2 * j + 1));
    y[k] = sum * (k == 0 ? 0.35355339f : 0.5f);
  }
  for (int k = 0; k < 8; k++) out[i * 8 + k] = y[k];
}

__global__ void dct8_block(const short* in, short* out, const float* basis, int blocks) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= blocks) return;
  float block[8][8], half[8][8];
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) block[i][j] = in[b * 64 + i * 8 + j];
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      float sum = 0.0f;
      for (int k = 0; k < 8; k++) sum += block[i][k] * basis[j * 8 + k];
      half[i][j] = sum;
    }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      float sum = 0.0f;
      for (int k = 0; k < 8; k++) sum += half[k][j] * basis[i * 8 + k];
      out[b * 64 + i * 8 + j] = static_cast<short>(rintf(sum));
    }
}

__global__ void walsh16_double(double* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v[16];
  for (int k = 0; k < 16; k++) v[k] = data[k * n + i];
  for (int half = 1; half < 16; half *= 2)
    for (int k = 0; k < 16; k++)
      if (!(k & half)) {
        const double a = v[k], b = v[k + half];
        v[k] = a + b;
        v[k + half] = a - b;
      }
  for (int k = 0; k < 16; k++) data[k * n + i] = v[k] * 0.25;
}

__global__ void haar_wavelet32(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v[32], w[32];
#pragma unroll
  for (int k = 0; k < 32; k++) v[k] = data[i * 32 + k];
#pragma unroll
  for (int size = 32; size > 1; size /= 2) {
#pragma unroll
    for (int k = 0; k < size / 2; k++) {
      w[k] = (v[2 * k] + v[2 * k + 1]) * 0.70710678f;
      w[size / 2 + k] = (v[2 * k] - v[2 * k + 1]) * 0.70710678f;
    }
#pragma unroll
    for (int k = 0; k < size; k++) v[k] = w[k];
  }
#pragma unroll
  for (int k = 0; k < 32; k++) data[i * 32 + k] = v[k];
}

__global__ void goertzel_bank(const float* samples, float* power, int length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s1[12], s2[12], c[12];
  for (int k = 0; k < 12; k++) {
    s1[k] = s2[k] = 0.0f;
    c[k] = 2.0f * cosf(0.1f * (k + 1));
  }
  for (int t = 0; t < length; t++) {
    const float x = samples[t * n + i];
    for (int k = 0; k < 12; k++) {
      const float s = x + c[k] * s1[k] - s2[k];
      s2[k] = s1[k];
      s1[k] = s;
    }
  }
  for (int k = 0; k < 12; k++) power[k * n + i] = s1[k] * s1[k] + s2[k] * s2[k] - c[k] * s1[k] * s2[k];
}
