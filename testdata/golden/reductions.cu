// Sums, maxima and prefix sums: through LDS, through shuffles, with a grid-stride loop, with pairs.
#include "common.h"

__global__ void sum_shared(const float* in, float* out, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  part[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__device__ float lanes_sum(float x) {
  for (int d = LANES / 2; d > 0; d /= 2) x += SHFL_DOWN(x, d);
  return x;
}

__global__ void sum_shuffle(const float* in, float* out, int n) {
  __shared__ float part[32];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = lanes_sum(sum);
  const int lane = threadIdx.x % LANES, group = threadIdx.x / LANES;
  if (lane == 0) part[group] = sum;
  __syncthreads();
  sum = threadIdx.x < blockDim.x / LANES ? part[lane] : 0.0f;
  if (group == 0) sum = lanes_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void sum_wide(const float4* in, float* out, int n) {
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float4 v = in[i];
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
    sum.w += v.w;
  }
  const float all = lanes_sum(sum.x + sum.y + sum.z + sum.w);
  if (threadIdx.x % LANES == 0) atomicAdd(out, all);
}

__global__ void dot_double(const double* x, const double* y, double* out, int n) {
  __shared__ double part[256];
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  part[threadIdx.x] = sum;
  __syncthreads();
#pragma unroll
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void arg_max(const float* in, int* out, int n) {
  __shared__ float best[256];
  __shared__ int where[256];
  float most = -3.4e38f;
  int at = -1;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float x = in[blockIdx.x * n + i];
    if (x > most) {
      most = x;
      at = i;
    }
  }
  best[threadIdx.x] = most;
  where[threadIdx.x] = at;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s && best[threadIdx.x + s] > best[threadIdx.x]) {
      best[threadIdx.x] = best[threadIdx.x + s];
      where[threadIdx.x] = where[threadIdx.x + s];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = where[0];
}

__global__ void mean_variance(const float* in, float* mean, float* variance, int n) {
  float count = 0.0f, average = 0.0f, square = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float x = in[blockIdx.x * n + i];
    count += 1.0f;
    const float d = x - average;
    average += d / count;
    square += d * (x - average);
  }
  for (int d = LANES / 2; d > 0; d /= 2) {
    const float c2 = SHFL_XOR(count, d), a2 = SHFL_XOR(average, d), s2 = SHFL_XOR(square, d);
    const float all = count + c2;
    const float gap = a2 - average;
    average += gap * c2 / fmaxf(all, 1.0f);
    square += s2 + gap * gap * count * c2 / fmaxf(all, 1.0f);
    count = all;
  }
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = average;
    variance[blockIdx.x] = square / count;
  }
}

__global__ void kahan_sum(const double* in, double* out, int n) {
  double sum = 0.0, lost = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const double y = in[i] - lost;
    const double t = sum + y;
    lost = (t - sum) - y;
    sum = t;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void scan_hillis(const int* in, int* out, int n) {
  __shared__ int data[2][256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  int now = 0;
  data[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    data[1 - now][t] = t >= d ? data[now][t] + data[now][t - d] : data[now][t];
    now = 1 - now;
    __syncthreads();
  }
  if (i < n) out[i] = data[now][t];
}

__global__ void scan_blelloch(int* data, int* sums) {
  __shared__ int tree[512];
  const int t = threadIdx.x, base = blockIdx.x * 512;
  tree[2 * t] = data[base + 2 * t];
  tree[2 * t + 1] = data[base + 2 * t + 1];
  int step = 1;
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
    step *= 2;
  }
  if (t == 0) {
    sums[blockIdx.x] = tree[511];
    tree[511] = 0;
  }
  for (int d = 1; d < 512; d *= 2) {
    step >>= 1;
    __syncthreads();
    if (t < d) {
      const int low = step * (2 * t + 1) - 1, high = step * (2 * t + 2) - 1;
      const int kept = tree[low];
      tree[low] = tree[high];
      tree[high] += kept;
    }
  }
  __syncthreads();
  data[base + 2 * t] = tree[2 * t];
  data[base + 2 * t + 1] = tree[2 * t + 1];
}

__global__ void scan_items8(const int* in, int* out, int n) {
  __shared__ int totals[32];
  const int t = threadIdx.x, lane = t % LANES, group = t / LANES;
  const int base = (blockIdx.x * blockDim.x + t) * 8;
  int items[8];
#pragma unroll
  for (int k = 0; k < 8; k++) items[k] = base + k < n ? in[base + k] : 0;
#pragma unroll
  for (int k = 1; k < 8; k++) items[k] += items[k - 1];
  int mine = items[7];
#pragma unroll
  for (int d = 1; d < LANES; d *= 2) {
    const int other = SHFL_UP(mine, d);
    if (lane >= d) mine += other;
  }
  if (lane == LANES - 1) totals[group] = mine;
  __syncthreads();
  int before = mine - items[7];
  for (int g = 0; g < group; g++) before += totals[g];
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (base + k < n) out[base + k] = items[k] + before;
}

__global__ void compact_positive(const float* in, float* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool keep = i < n && in[i] > 0.0f;
  const unsigned votes = BALLOT(keep);
  const int lane = threadIdx.x % LANES;
  int base = 0;
  if (lane == 0) base = atomicAdd(count, __popc(votes));
  base = SHFL(base, 0);
  if (keep) out[base + __popc(votes & ((1u << lane) - 1u))] = in[i];
}

__global__ void column_minmax(const float* in, float* low, float* high, int rows, int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  float a = 3.4e38f, b = -3.4e38f;
#pragma unroll 8
  for (int r = 0; r < rows; r++) {
    const float x = in[r * columns + c];
    a = fminf(a, x);
    b = fmaxf(b, x);
  }
  low[c] = a;
  high[c] = b;
}

__global__ void segmented_sum(const float* values, const int* starts, float* out, int segments) {
  const int s = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
  if (s >= segments) return;
  float sum = 0.0f;
  for (int i = starts[s] + lane; i < starts[s + 1]; i += LANES) sum += values[i];
  sum = lanes_sum(sum);
  if (lane == 0) out[s] = sum;
}

__global__ void four_moments(const float* in, float* out, float mean, int n) {
  float m1 = 0.0f, m2 = 0.0f, m3 = 0.0f, m4 = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float d = in[i] - mean, d2 = d * d;
    m1 += d;
    m2 += d2;
    m3 += d2 * d;
    m4 += d2 * d2;
  }
  m1 = lanes_sum(m1);
  m2 = lanes_sum(m2);
  m3 = lanes_sum(m3);
  m4 = lanes_sum(m4);
  if (threadIdx.x % LANES == 0) {
    atomicAdd(out, m1);
    atomicAdd(out + 1, m2);
    atomicAdd(out + 2, m3);
    atomicAdd(out + 3, m4);
  }
}
