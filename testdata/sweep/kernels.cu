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

void run(float* f, double* d, float4* p, unsigned* u, int n) {
  stencil<4><<<64, 256>>>(f, f, f, n, n);
  normalise<8><<<64, 256>>>(d, d, n);
  forces<4><<<64, 256>>>(p, p, n);
  product<4, 4><<<64, 256>>>(f, f, f, n);
  polynomial<9><<<64, 256>>>(d, d, d, n);
  sorted<8><<<64, 256>>>(u, u);
}
