// Kernels with options that the launch decides about: what `tools/measure/options_truth.py` compiles with and without them.

struct Options {
  bool radiate;
  int order;
  unsigned bits;
};

__constant__ int use_table;

__device__ double emission(double chi, double gamma) {
  double rate = 0;
  for (int k = 1; k <= 6; ++k) rate += exp(-k * chi) * pow(gamma, 1.0 / k) / (k + chi * gamma);
  return rate;
}

// A boolean argument, a costly function behind it.
__global__ void push(double* out, const double* x, const double* u, int n, double dt, bool do_qed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double p[3] = {u[i], u[i + n], u[i + 2 * n]};
  double gamma = sqrt(1 + p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  if (do_qed) {
    double lost = emission(x[i], gamma) * dt;
    for (int d = 0; d < 3; ++d) p[d] *= 1 - lost / gamma;
  }
  for (int d = 0; d < 3; ++d) out[i + d * n] = x[i + d * n] + p[d] * dt / gamma;
}

// A member of a structure that is passed by value, asked for twice, with accumulators that live across a loop.
__global__ void moments(float* out, const float* f, int n, int cells, Options options) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0, heat[9] = {};
  for (int k = 0; k < n; ++k) {
    float v = f[k * cells + i];
    sum += v;
    if (options.radiate) {
#pragma unroll
      for (int d = 0; d < 9; ++d) heat[d] += v * v * (d + 0.5f) * f[(k + d) * cells + i];
    }
  }
  out[i] = sum;
  if (options.radiate) {
#pragma unroll
    for (int d = 0; d < 9; ++d) out[(d + 1) * cells + i] = heat[d];
  }
}

// A pointer that may be null.
__global__ void dense(float* out, const float* a, const float* b, const float* bias, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum[8] = {};
  for (int k = 0; k < n; ++k) {
    float left = a[k * n + i];
#pragma unroll
    for (int j = 0; j < 8; ++j) sum[j] += left * b[k * 8 + j];
  }
  if (bias != nullptr) {
#pragma unroll
    for (int j = 0; j < 8; ++j) sum[j] = tanhf(sum[j] + bias[j * n + i]);
  }
#pragma unroll
  for (int j = 0; j < 8; ++j) out[i * 8 + j] = sum[j];
}

// One of several modes.
__global__ void shape(double* out, const double* x, int n, int order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double d = x[i], w = 0;
  if (order == 1) w = 1 - fabs(d);
  if (order == 2) w = 0.75 - d * d;
  if (order == 3) {
    double s[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) s[k] = x[(k * n + i)];
    for (int r = 0; r < 4; ++r) {
#pragma unroll
      for (int k = 0; k < 8; ++k) s[k] = s[k] * s[(k + 1) % 8] + d;
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) w += cos(s[k]);
  }
  out[i] = w;
}

// A bit of a word in constant memory, and an `else` that is the dear side.
__global__ void lookup(float* out, const float* table, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  if (use_table) {
    out[i] = table[(int)v];
  } else {
    float c[12];
#pragma unroll
    for (int k = 0; k < 12; ++k) c[k] = table[k * n + i];
    float sum = 0;
    for (int r = 0; r < 8; ++r) {
#pragma unroll
      for (int k = 0; k < 12; ++k) sum = sum * v + c[k] * expf(v * k);
    }
    out[i] = sum;
  }
}

// A flag that is handed on.
__device__ float limited(float a, float b, float c, bool limiter, float e, float f) {
  float slope = 0.5f * (c - a);
  if (limiter) {
    float left = b - a, right = c - b, far = e - c, near = f - b;
    float theta = left * right > 0 ? fminf(fabsf(left), fabsf(right)) : 0.0f;
    slope = theta * (1 + powf(fabsf(far * near) + 1e-6f, 0.3f));
  }
  return slope;
}

__global__ void fluxes(float* out, const float* q, int n, bool limiter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int v = 0; v < 5; ++v) {
    const float* p = q + v * n + i;
    sum += limited(p[0], p[1], p[2], limiter, p[3], p[4]);
  }
  out[i] = sum;
}

// An option that adds next to nothing.
__global__ void scale(float* out, const float* in, int n, float factor, bool clamp) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i] * factor;
  if (clamp) v = fminf(v, 1.0f);
  out[i] = v;
}

// An option off the widest place.
__global__ void tile(float* out, const float* in, int n, bool record) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) t[k] = in[k * n + i];
  for (int r = 0; r < n; ++r) {
#pragma unroll
    for (int k = 0; k < 32; ++k) t[k] = t[k] * 0.5f + t[(k + 5) % 32];
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) sum += t[k];
  if (record) out[n + i] = sum * sum;
  out[i] = sum;
}

// Values that only the option needs are held through a loop.
__global__ void history(double* out, const double* in, int n, int steps, Options options) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double first[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) first[k] = in[k * n + i];
  double v = in[i], w = in[i + n];
  for (int s = 0; s < steps; ++s) {
    v += w * 1e-3;
    w -= sin(v) * 1e-3;
  }
  if (options.bits & 4) {
#pragma unroll
    for (int k = 0; k < 12; ++k) out[(k + 1) * n + i] = v - first[k];
  }
  out[i] = v;
}

// A variable of the kernel that copies a flag, under another condition.
__global__ void collide(double* out, const double* f, const double* rho, int n, const Options* options) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool third = options->order > 2;
  double own[9], sum = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    own[k] = f[k * n + i];
    sum += own[k];
  }
  if (third && sum > 0) {
    double tensor[10] = {};
#pragma unroll
    for (int k = 0; k < 9; ++k) {
#pragma unroll
      for (int d = 0; d < 10; ++d) tensor[d] += own[k] * (k - d) * rho[d * n + i];
    }
#pragma unroll
    for (int k = 0; k < 9; ++k) {
#pragma unroll
      for (int d = 0; d < 10; ++d) own[k] -= tensor[d] * 0.1 * (k + d);
    }
  }
#pragma unroll
  for (int k = 0; k < 9; ++k) out[k * n + i] = own[k] / sum;
}
