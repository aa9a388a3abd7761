// Kernels with a size that their authors choose: what `tools/measure/sweep_truth.py` compiles at each value.

// sweep: RADIUS=1,2,4,6,8,12
template <int RADIUS>
__global__ void stencil(float* out, const float* in, const float* weight, int n, int planes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float window[2 * RADIUS + 1];
  for (int k = 0; k < 2 * RADIUS + 1; ++k) window[k] = in[k * n + i];
  for (int plane = 0; plane < planes; ++plane) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 2 * RADIUS + 1; ++k) sum += weight[k] * window[k];
    out[plane * n + i] = sum;
#pragma unroll
    for (int k = 0; k < 2 * RADIUS; ++k) window[k] = window[k + 1];
    window[2 * RADIUS] = in[(plane + 2 * RADIUS + 1) * n + i];
  }
}

// sweep: ITEMS=2,4,8,16,24,32
template <int ITEMS>
__global__ void normalise(double* out, const double* in, int n) {
  double held[ITEMS];
  double sum = 0;
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) {
    held[k] = in[(blockIdx.x * ITEMS + k) * blockDim.x + threadIdx.x];
    sum += held[k] * held[k];
  }
  double scale = 1.0 / sum;
#pragma unroll
  for (int k = 0; k < ITEMS; ++k) out[(blockIdx.x * ITEMS + k) * blockDim.x + threadIdx.x] = held[k] * scale;
}

// sweep: BODIES=1,2,4,8,12
template <int BODIES>
__global__ void forces(float4* out, const float4* body, int n) {
  float4 own[BODIES], sum[BODIES];
#pragma unroll
  for (int k = 0; k < BODIES; ++k) {
    own[k] = body[(blockIdx.x * BODIES + k) * blockDim.x + threadIdx.x];
    sum[k] = make_float4(0, 0, 0, 0);
  }
  for (int j = 0; j < n; ++j) {
    float4 other = body[j];
#pragma unroll
    for (int k = 0; k < BODIES; ++k) {
      float x = other.x - own[k].x, y = other.y - own[k].y, z = other.z - own[k].z;
      float inverse = rsqrtf(x * x + y * y + z * z + 1e-9f);
      float factor = other.w * inverse * inverse * inverse;
      sum[k].x += x * factor;
      sum[k].y += y * factor;
      sum[k].z += z * factor;
    }
  }
#pragma unroll
  for (int k = 0; k < BODIES; ++k) out[(blockIdx.x * BODIES + k) * blockDim.x + threadIdx.x] = sum[k];
}

// sweep: N=2,4,6,8,10 M=2,4,8
template <int N, int M>
__global__ void product(float* out, const float* a, const float* b, int depth) {
  float sums[N][M] = {};
  for (int k = 0; k < depth; ++k) {
    float left[N], right[M];
#pragma unroll
    for (int i = 0; i < N; ++i) left[i] = a[k * 512 + threadIdx.x * N + i];
#pragma unroll
    for (int j = 0; j < M; ++j) right[j] = b[k * 512 + blockIdx.x * M + j];
#pragma unroll
    for (int i = 0; i < N; ++i)
#pragma unroll
      for (int j = 0; j < M; ++j) sums[i][j] += left[i] * right[j];
  }
#pragma unroll
  for (int i = 0; i < N; ++i)
#pragma unroll
    for (int j = 0; j < M; ++j) out[(threadIdx.x * N + i) * M + j] = sums[i][j];
}

// sweep: DEGREE=3,5,9,15,25
template <int DEGREE>
__global__ void polynomial(double* out, const double* in, const double* coefficient, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double term[DEGREE + 1];
  for (int k = 0; k <= DEGREE; ++k) term[k] = coefficient[i * (DEGREE + 1) + k];
  for (int step = 0; step < n; ++step) {
    double x = in[step];
    double value = term[DEGREE];
#pragma unroll
    for (int k = DEGREE - 1; k >= 0; --k) value = value * x + term[k];
    out[step * gridDim.x * blockDim.x + i] = value;
  }
}

// sweep: LENGTH=4,8,16,32,48
template <int LENGTH>
__global__ void sorted(unsigned* out, const unsigned* in) {
  unsigned key[LENGTH];
#pragma unroll
  for (int k = 0; k < LENGTH; ++k) key[k] = in[threadIdx.x * LENGTH + k];
#pragma unroll
  for (int round = 0; round < LENGTH; ++round)
#pragma unroll
    for (int k = round & 1; k + 1 < LENGTH; k += 2) {
      unsigned low = min(key[k], key[k + 1]), high = max(key[k], key[k + 1]);
      key[k] = low;
      key[k + 1] = high;
    }
#pragma unroll
  for (int k = 0; k < LENGTH; ++k) out[threadIdx.x * LENGTH + k] = key[k];
}

// The kernels from here on were written when the estimates were settled.
// sweep: N=8,16,24,32,48,64,96,128
template <int N>
__global__ void horner(float* out, const float* x, const float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  float p[N];
#pragma unroll
  for (int k = 0; k < N; ++k) p[k] = c[k];
  float v = x[i];
  for (int t = 0; t < n; ++t)
#pragma unroll
    for (int k = 0; k < N; ++k) p[k] = p[k] * v + c[t];
  float s = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) s += p[k];
  out[i] = s;
}

// sweep: N=1,2,4,6,8,12
template <int N>
__global__ void bodies(float4* out, const float4* in, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * N;
  float4 me[N]; float3 f[N];
#pragma unroll
  for (int k = 0; k < N; ++k) { me[k] = in[i + k]; f[k] = make_float3(0, 0, 0); }
  for (int j = 0; j < n; ++j) { float4 o = in[j];
#pragma unroll
    for (int k = 0; k < N; ++k) { float dx = o.x - me[k].x, dy = o.y - me[k].y, dz = o.z - me[k].z; float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f); float w = o.w * r * r * r; f[k].x += dx * w; f[k].y += dy * w; f[k].z += dz * w; } }
#pragma unroll
  for (int k = 0; k < N; ++k) out[i + k] = make_float4(f[k].x, f[k].y, f[k].z, 0);
}

// sweep: R=1,2,4,8,12,16,24
template <int R>
__global__ void column(double* out, const double* in, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  double w[2 * R + 1];
#pragma unroll
  for (int k = 0; k < 2 * R + 1; ++k) w[k] = in[k * nx + x];
  for (int y = R; y < ny - R; ++y) {
    double s = 0;
#pragma unroll
    for (int k = 0; k < 2 * R + 1; ++k) s += w[k] * (k + 1);
    out[y * nx + x] = s;
#pragma unroll
    for (int k = 0; k < 2 * R; ++k) w[k] = w[k + 1];
    w[2 * R] = in[(y + R + 1) * nx + x];
  }
}

// sweep: N=4,8,16,32,48,64,96
template <int N>
__global__ void sumsets(unsigned* out, const unsigned* in, int n) {
  unsigned h[N];
#pragma unroll
  for (int k = 0; k < N; ++k) h[k] = 0x9e3779b9u * (k + 1);
  for (int j = threadIdx.x; j < n; j += 256) { unsigned v = in[j];
#pragma unroll
    for (int k = 0; k < N; ++k) h[k] = (h[k] ^ v) * 16777619u + (h[k] >> 13); }
#pragma unroll
  for (int k = 0; k < N; ++k) atomicAdd(&out[k], h[k]);
}

// sweep: M=2,4,8 N=2,4,8,12
template <int M, int N>
__global__ void outer(float* o, const float* a, const float* b, int n) {
  int t = threadIdx.x; float c[M][N];
#pragma unroll
  for (int i = 0; i < M; ++i)
#pragma unroll
    for (int j = 0; j < N; ++j) c[i][j] = 0;
  for (int k = 0; k < n; ++k) { float x[M], y[N];
#pragma unroll
    for (int i = 0; i < M; ++i) x[i] = a[k * M + i + t];
#pragma unroll
    for (int j = 0; j < N; ++j) y[j] = b[k * N + j - t];
#pragma unroll
    for (int i = 0; i < M; ++i)
#pragma unroll
      for (int j = 0; j < N; ++j) c[i][j] = fmaf(x[i], y[j], c[i][j]); }
#pragma unroll
  for (int i = 0; i < M; ++i)
#pragma unroll
    for (int j = 0; j < N; ++j) o[(i * N + j) * n + t] = c[i][j];
}

// sweep: N=3,5,8,12,16,24,32
template <int N>
__global__ void ode(double* y, const double* k, int n, double h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; double s[N];
#pragma unroll
  for (int q = 0; q < N; ++q) s[q] = y[q * n + i];
  for (int t = 0; t < n; ++t) { double d[N];
#pragma unroll
    for (int q = 0; q < N; ++q) d[q] = k[q] * s[(q + 1) % N] - s[q] * s[(q + N - 1) % N];
#pragma unroll
    for (int q = 0; q < N; ++q) s[q] += h * d[q]; }
#pragma unroll
  for (int q = 0; q < N; ++q) y[q * n + i] = s[q];
}

void run(float* f, double* d, float4* p, unsigned* u, int n) {
  stencil<4><<<64, 256>>>(f, f, f, n, n);
  normalise<8><<<64, 256>>>(d, d, n);
  forces<4><<<64, 256>>>(p, p, n);
  product<4, 4><<<64, 256>>>(f, f, f, n);
  polynomial<9><<<64, 256>>>(d, d, d, n);
  sorted<8><<<64, 256>>>(u, u);
}
