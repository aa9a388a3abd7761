// Parts of neural networks: softmax, normalisation, attention, activations, embeddings, optimisers.
#include "common.h"

__device__ float lanes_max(float x) {
  for (int d = LANES / 2; d > 0; d /= 2) x = fmaxf(x, SHFL_XOR(x, d));
  return x;
}

__device__ float lanes_total(float x) {
  for (int d = LANES / 2; d > 0; d /= 2) x += SHFL_XOR(x, d);
  return x;
}

__global__ void relu(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = fmaxf(x[i], 0.0f);
}

__global__ void gelu_tanh(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  y[i] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}

__global__ void silu_gate(const float* gate, const float* up, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = gate[i] / (1.0f + expf(-gate[i])) * up[i];
}

__global__ void softmax_rows_serial(const float* in, float* out, int columns, int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -3.4e38f, sum = 0.0f;
  for (int c = 0; c < columns; c++) most = fmaxf(most, in[r * columns + c]);
  for (int c = 0; c < columns; c++) sum += expf(in[r * columns + c] - most);
  for (int c = 0; c < columns; c++) out[r * columns + c] = expf(in[r * columns + c] - most) / sum;
}

__global__ void softmax_lanes(const float* in, float* out, int columns) {
  const int row = blockIdx.x, lane = threadIdx.x;
  float most = -3.4e38f;
  for (int c = lane; c < columns; c += LANES) most = fmaxf(most, in[row * columns + c]);
  most = lanes_max(most);
  float sum = 0.0f;
  for (int c = lane; c < columns; c += LANES) sum += __expf(in[row * columns + c] - most);
  sum = 1.0f / lanes_total(sum);
  for (int c = lane; c < columns; c += LANES) out[row * columns + c] = __expf(in[row * columns + c] - most) * sum;
}

// A row of 1,024 held in registers, 32 values a lane.
__global__ void softmax_held32(const float* in, float* out) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  float v[32];
  float most = -3.4e38f, sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 32; k++) {
    v[k] = in[row * 1024 + k * 32 + lane];
    most = fmaxf(most, v[k]);
  }
  most = lanes_max(most);
#pragma unroll
  for (int k = 0; k < 32; k++) {
    v[k] = __expf(v[k] - most);
    sum += v[k];
  }
  sum = 1.0f / lanes_total(sum);
#pragma unroll
  for (int k = 0; k < 32; k++) out[row * 1024 + k * 32 + lane] = v[k] * sum;
}

__global__ void softmax_online(const float* in, float* out, int columns, int rows) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float most = -3.4e38f, sum = 0.0f;
  for (int c = 0; c < columns; c++) {
    const float x = in[c * rows + r];
    const float next = fmaxf(most, x);
    sum = sum * __expf(most - next) + __expf(x - next);
    most = next;
  }
  for (int c = 0; c < columns; c++) out[c * rows + r] = __expf(in[c * rows + r] - most) / sum;
}

__global__ void layer_norm(const float* in, const float* gamma, const float* beta, float* out, int columns, float eps) {
  __shared__ float s_mean, s_rstd;
  __shared__ float part[2][32];
  const int row = blockIdx.x;
  float sum = 0.0f, square = 0.0f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    const float x = in[row * columns + c];
    sum += x;
    square += x * x;
  }
  sum = lanes_total(sum);
  square = lanes_total(square);
  if (threadIdx.x % LANES == 0) {
    part[0][threadIdx.x / LANES] = sum;
    part[1][threadIdx.x / LANES] = square;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float a = 0.0f, b = 0.0f;
    for (int k = 0; k < blockDim.x / LANES; k++) {
      a += part[0][k];
      b += part[1][k];
    }
    s_mean = a / columns;
    s_rstd = rsqrtf(b / columns - s_mean * s_mean + eps);
  }
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    out[row * columns + c] = (in[row * columns + c] - s_mean) * s_rstd * gamma[c] + beta[c];
}

__global__ void rms_norm_wide(const float4* in, const float4* weight, float4* out, int columns4, float eps) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  float square = 0.0f;
  for (int c = threadIdx.x; c < columns4; c += LANES) {
    const float4 v = in[row * columns4 + c];
    square += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  const float scale = rsqrtf(lanes_total(square) / (4 * columns4) + eps);
  for (int c = threadIdx.x; c < columns4; c += LANES) {
    const float4 v = in[row * columns4 + c], w = weight[c];
    out[row * columns4 + c] = make_float4(v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w);
  }
}

__global__ void batch_norm_backward(const float* dy, const float* x, const float* mean, const float* rstd, const float* gamma,
                                    const float* sum_dy, const float* sum_dy_x, float* dx, int channels, int spatial, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int c = i / spatial % channels;
  const float count = static_cast<float>(n / channels);
  const float hat = (x[i] - mean[c]) * rstd[c];
  dx[i] = gamma[c] * rstd[c] * (dy[i] - sum_dy[c] / count - hat * sum_dy_x[c] / count);
}

// One query a thread; the head's values accumulate in a private array of 64.
__global__ void attention_head64(const float* q, const float* k, const float* v, float* out, int keys, float scale) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float query[64], acc[64];
#pragma unroll
  for (int d = 0; d < 64; d++) {
    query[d] = q[t * 64 + d] * scale;
    acc[d] = 0.0f;
  }
  float most = -3.4e38f, sum = 0.0f;
  for (int j = 0; j < keys; j++) {
    float s = 0.0f;
#pragma unroll
    for (int d = 0; d < 64; d++) s += query[d] * k[j * 64 + d];
    const float next = fmaxf(most, s);
    const float keep = __expf(most - next), add = __expf(s - next);
    sum = sum * keep + add;
#pragma unroll
    for (int d = 0; d < 64; d++) acc[d] = acc[d] * keep + add * v[j * 64 + d];
    most = next;
  }
#pragma unroll
  for (int d = 0; d < 64; d++) out[t * 64 + d] = acc[d] / sum;
}

// The same with a head of 32 and loops that the compiler may unroll or not.
__global__ void attention_head32(const float* q, const float* k, const float* v, float* out, int keys, float scale) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float query[32], acc[32];
  for (int d = 0; d < 32; d++) {
    query[d] = q[t * 32 + d] * scale;
    acc[d] = 0.0f;
  }
  float most = -3.4e38f, sum = 0.0f;
  for (int j = 0; j < keys; j++) {
    float s = 0.0f;
    for (int d = 0; d < 32; d++) s += query[d] * k[j * 32 + d];
    const float next = fmaxf(most, s);
    const float keep = __expf(most - next), add = __expf(s - next);
    sum = sum * keep + add;
    for (int d = 0; d < 32; d++) acc[d] = acc[d] * keep + add * v[j * 32 + d];
    most = next;
  }
  for (int d = 0; d < 32; d++) out[t * 32 + d] = acc[d] / sum;
}

// Tiles of 32 keys in LDS; 16 dimensions a thread, four threads a query.
__global__ void attention_tiled(const float* q, const float* k, const float* v, float* out, int keys, float scale) {
  __shared__ float tile_k[32][64];
  __shared__ float tile_v[32][64];
  const int part = threadIdx.x % 4, row = blockIdx.x * 64 + threadIdx.x / 4;
  float query[16], acc[16], score[32];
#pragma unroll
  for (int d = 0; d < 16; d++) {
    query[d] = q[row * 64 + part * 16 + d] * scale;
    acc[d] = 0.0f;
  }
  float most = -3.4e38f, sum = 0.0f;
  for (int j0 = 0; j0 < keys; j0 += 32) {
    for (int i = threadIdx.x; i < 32 * 64; i += 256) {
      tile_k[i / 64][i % 64] = k[j0 * 64 + i];
      tile_v[i / 64][i % 64] = v[j0 * 64 + i];
    }
    __syncthreads();
    float here = most;
#pragma unroll
    for (int j = 0; j < 32; j++) {
      float s = 0.0f;
#pragma unroll
      for (int d = 0; d < 16; d++) s += query[d] * tile_k[j][part * 16 + d];
      s += SHFL_XOR(s, 1);
      s += SHFL_XOR(s, 2);
      score[j] = s;
      here = fmaxf(here, s);
    }
    const float keep = __expf(most - here);
    sum *= keep;
#pragma unroll
    for (int d = 0; d < 16; d++) acc[d] *= keep;
#pragma unroll
    for (int j = 0; j < 32; j++) {
      const float p = __expf(score[j] - here);
      sum += p;
#pragma unroll
      for (int d = 0; d < 16; d++) acc[d] += p * tile_v[j][part * 16 + d];
    }
    most = here;
    __syncthreads();
  }
#pragma unroll
  for (int d = 0; d < 16; d++) out[row * 64 + part * 16 + d] = acc[d] / sum;
}

__global__ void rotary(float* x, const float* cosine, const float* sine, int heads, int half, int tokens) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tokens * heads * half) return;
  const int d = i % half, token = i / (half * heads), base = i / half * 2 * half;
  const float a = x[base + d], b = x[base + half + d];
  const float c = cosine[token * half + d], s = sine[token * half + d];
  x[base + d] = a * c - b * s;
  x[base + half + d] = a * s + b * c;
}

__global__ void adam_step(float* w, const float* grad, float* m, float* v, float rate, float beta1, float beta2, float eps,
                          float decay, float correct1, float correct2, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float g = grad[i] + decay * w[i];
  const float m2 = beta1 * m[i] + (1.0f - beta1) * g;
  const float v2 = beta2 * v[i] + (1.0f - beta2) * g * g;
  m[i] = m2;
  v[i] = v2;
  w[i] -= rate * (m2 / correct1) / (sqrtf(v2 / correct2) + eps);
}

__global__ void cross_entropy(const float* logits, const int* label, float* loss, float* grad, int classes) {
  const int row = blockIdx.x, lane = threadIdx.x;
  float most = -3.4e38f;
  for (int c = lane; c < classes; c += LANES) most = fmaxf(most, logits[row * classes + c]);
  most = lanes_max(most);
  float sum = 0.0f;
  for (int c = lane; c < classes; c += LANES) sum += expf(logits[row * classes + c] - most);
  sum = lanes_total(sum);
  const int wanted = label[row];
  for (int c = lane; c < classes; c += LANES)
    grad[row * classes + c] = expf(logits[row * classes + c] - most) / sum - (c == wanted ? 1.0f : 0.0f);
  if (lane == 0) loss[row] = logf(sum) + most - logits[row * classes + wanted];
}

// A recurrent cell: four gates of 16 weights each, state in registers over all steps.
__global__ void lstm_small(const float* x, const float* weights, float* out, int steps, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  float hidden[8] = {}, cell[8] = {};
  for (int s = 0; s < steps; s++) {
    const float in = x[s * n + t];
    float gate[4][8];
    for (int g = 0; g < 4; g++)
      for (int k = 0; k < 8; k++) {
        float sum = weights[(g * 8 + k) * 10] * in + weights[(g * 8 + k) * 10 + 1];
        for (int j = 0; j < 8; j++) sum += weights[(g * 8 + k) * 10 + 2 + j] * hidden[j];
        gate[g][k] = sum;
      }
    for (int k = 0; k < 8; k++) {
      const float i = 1.0f / (1.0f + __expf(-gate[0][k])), f = 1.0f / (1.0f + __expf(-gate[1][k]));
      const float o = 1.0f / (1.0f + __expf(-gate[2][k]));
      cell[k] = f * cell[k] + i * tanhf(gate[3][k]);
      hidden[k] = o * tanhf(cell[k]);
    }
  }
  for (int k = 0; k < 8; k++) out[k * n + t] = hidden[k];
}

__global__ void conv3x3_channels(const float* in, const float* weight, float* out, int channels, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int filter = blockIdx.z;
  if (x >= width - 2 || y >= height - 2) return;
  float sum = 0.0f;
  for (int c = 0; c < channels; c++) {
    const float* plane = in + (c * height + y) * width + x;
    const float* w = weight + (filter * channels + c) * 9;
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
      for (int j = 0; j < 3; j++) sum += plane[i * width + j] * w[i * 3 + j];
  }
  out[(filter * (height - 2) + y) * (width - 2) + x] = sum;
}

// A 6 x 6 patch transformed for a 4 x 4 output (Winograd's way), in registers.
__global__ void winograd_input(const float* in, float* out, int width, int tiles) {
  const int tile = blockIdx.x * blockDim.x + threadIdx.x;
  if (tile >= tiles) return;
  float d[6][6], t[6][6];
#pragma unroll
  for (int i = 0; i < 6; i++)
#pragma unroll
    for (int j = 0; j < 6; j++) d[i][j] = in[(tile / 64 * 4 + i) * width + tile % 64 * 4 + j];
#pragma unroll
  for (int j = 0; j < 6; j++) {
    t[0][j] = 4.0f * d[0][j] - 5.0f * d[2][j] + d[4][j];
    t[1][j] = -4.0f * (d[1][j] + d[2][j]) + d[3][j] + d[4][j];
    t[2][j] = 4.0f * (d[1][j] - d[2][j]) - d[3][j] + d[4][j];
    t[3][j] = 2.0f * (d[3][j] - d[1][j]) - d[2][j] + d[4][j];
    t[4][j] = 2.0f * (d[1][j] - d[3][j]) - d[2][j] + d[4][j];
    t[5][j] = 4.0f * d[1][j] - 5.0f * d[3][j] + d[5][j];
  }
#pragma unroll
  for (int i = 0; i < 6; i++) {
    out[(i * 6 + 0) * tiles + tile] = 4.0f * t[i][0] - 5.0f * t[i][2] + t[i][4];
    out[(i * 6 + 1) * tiles + tile] = -4.0f * (t[i][1] + t[i][2]) + t[i][3] + t[i][4];
    out[(i * 6 + 2) * tiles + tile] = 4.0f * (t[i][1] - t[i][2]) - t[i][3] + t[i][4];
    out[(i * 6 + 3) * tiles + tile] = 2.0f * (t[i][3] - t[i][1]) - t[i][2] + t[i][4];
    out[(i * 6 + 4) * tiles + tile] = 2.0f * (t[i][1] - t[i][3]) - t[i][2] + t[i][4];
    out[(i * 6 + 5) * tiles + tile] = 4.0f * t[i][1] - 5.0f * t[i][3] + t[i][5];
  }
}

__global__ void max_pool2(const float* in, float* out, unsigned char* which, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (2 * x >= width || 2 * y >= height) return;
  const float v[4] = {in[2 * y * width + 2 * x], in[2 * y * width + 2 * x + 1], in[(2 * y + 1) * width + 2 * x],
                      in[(2 * y + 1) * width + 2 * x + 1]};
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (v[k] > v[best]) best = k;
  out[y * (width / 2) + x] = v[best];
  which[y * (width / 2) + x] = static_cast<unsigned char>(best);
}

__global__ void embedding_bag(const float* table, const int* ids, const int* offsets, float* out, int width) {
  const int bag = blockIdx.x, d = threadIdx.x;
  float sum = 0.0f;
  for (int k = offsets[bag]; k < offsets[bag + 1]; k++) sum += table[static_cast<long long>(ids[k]) * width + d];
  out[bag * width + d] = sum;
}

__global__ void dequantize_groups(const unsigned* packed, const float* scale, const float* zero, float* out, int groups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  const unsigned word = packed[i];
  const float s = scale[i / 16], z = zero[i / 16];
#pragma unroll
  for (int k = 0; k < 8; k++) out[i * 8 + k] = (static_cast<float>((word >> (4 * k)) & 15u) - z) * s;
}
