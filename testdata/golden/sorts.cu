// Sorting networks in registers, bitonic sorts in LDS, radix counting, selections, merges.
#include "common.h"

__device__ inline void order(int& a, int& b) {
  const int low = min(a, b);
  b = max(a, b);
  a = low;
}

__global__ void sort4_network(int4* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int4 v = data[i];
  order(v.x, v.y);
  order(v.z, v.w);
  order(v.x, v.z);
  order(v.y, v.w);
  order(v.y, v.z);
  data[i] = v;
}

__global__ void sort8_registers(int* data, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = data[k * stride + i];
#pragma unroll
  for (int pass = 0; pass < 8; pass++)
#pragma unroll
    for (int k = pass % 2; k + 1 < 8; k += 2) order(v[k], v[k + 1]);
#pragma unroll
  for (int k = 0; k < 8; k++) data[k * stride + i] = v[k];
}

__global__ void bitonic16_registers(float* data, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[16];
#pragma unroll
  for (int k = 0; k < 16; k++) v[k] = data[k * stride + i];
#pragma unroll
  for (int size = 2; size <= 16; size *= 2)
#pragma unroll
    for (int step = size / 2; step > 0; step /= 2)
#pragma unroll
      for (int k = 0; k < 16; k++) {
        const int other = k ^ step;
        if (other > k) {
          const bool up = (k & size) == 0;
          const float low = fminf(v[k], v[other]), high = fmaxf(v[k], v[other]);
          v[k] = up ? low : high;
          v[other] = up ? high : low;
        }
      }
#pragma unroll
  for (int k = 0; k < 16; k++) data[k * stride + i] = v[k];
}

__global__ void bitonic32_pairs(unsigned long long* data, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long v[32];
#pragma unroll
  for (int k = 0; k < 32; k++) v[k] = data[k * stride + i];
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
#pragma unroll
    for (int k = 0; k < 32; k++)
      if ((k & step) == 0 && v[k] > v[k + step]) {
        const unsigned long long kept = v[k];
        v[k] = v[k + step];
        v[k + step] = kept;
      }
#pragma unroll
  for (int k = 0; k < 32; k++) data[k * stride + i] = v[k];
}

__global__ void bitonic_shared(unsigned* keys, unsigned* values) {
  __shared__ unsigned key[1024];
  __shared__ unsigned value[1024];
  const int t = threadIdx.x, base = blockIdx.x * 1024;
  key[t] = keys[base + t];
  key[t + 512] = keys[base + t + 512];
  value[t] = values[base + t];
  value[t + 512] = values[base + t + 512];
  for (unsigned size = 2; size <= 1024; size *= 2)
    for (unsigned step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const unsigned at = 2 * t - (t & (step - 1));
      const bool up = (at & size) == 0;
      const unsigned a = key[at], b = key[at + step];
      if ((a > b) == up) {
        key[at] = b;
        key[at + step] = a;
        const unsigned kept = value[at];
        value[at] = value[at + step];
        value[at + step] = kept;
      }
    }
  __syncthreads();
  keys[base + t] = key[t];
  keys[base + t + 512] = key[t + 512];
  values[base + t] = value[t];
  values[base + t + 512] = value[t + 512];
}

__global__ void bitonic_shuffle(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % LANES;
  int v = i < n ? data[i] : 0x7fffffff;
  for (int size = 2; size <= LANES; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      const int other = SHFL_XOR(v, step);
      const bool low = (lane & step) == 0, up = (lane & size) == 0;
      v = low == up ? min(v, other) : max(v, other);
    }
  if (i < n) data[i] = v;
}

// Insertion into a private list at an index that depends on the data.
__global__ void insertion_sort16(float* data, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[16];
  for (int k = 0; k < 16; k++) v[k] = data[k * stride + i];
  for (int k = 1; k < 16; k++) {
    const float x = v[k];
    int j = k - 1;
    while (j >= 0 && v[j] > x) {
      v[j + 1] = v[j];
      j--;
    }
    v[j + 1] = x;
  }
  for (int k = 0; k < 16; k++) data[k * stride + i] = v[k];
}

__global__ void quick_select(float* data, int stride, int wanted) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[48];
  for (int k = 0; k < 48; k++) v[k] = data[k * stride + i];
  int low = 0, high = 47;
  while (low < high) {
    const float pivot = v[(low + high) / 2];
    int a = low, b = high;
    while (a <= b) {
      while (v[a] < pivot) a++;
      while (v[b] > pivot) b--;
      if (a <= b) {
        const float kept = v[a];
        v[a++] = v[b];
        v[b--] = kept;
      }
    }
    if (wanted <= b) high = b;
    else if (wanted >= a) low = a;
    else break;
  }
  data[i] = v[wanted];
}

__global__ void top8_insert(const float* scores, float* best, int* where, int n, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float top[8];
  int at[8];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    top[k] = -3.4e38f;
    at[k] = -1;
  }
  for (int i = 0; i < n; i++) {
    float x = scores[i * rows + row];
    int id = i;
#pragma unroll
    for (int k = 0; k < 8; k++)
      if (x > top[k]) {
        const float kept = top[k];
        const int old = at[k];
        top[k] = x;
        at[k] = id;
        x = kept;
        id = old;
      }
  }
#pragma unroll
  for (int k = 0; k < 8; k++) {
    best[k * rows + row] = top[k];
    where[k * rows + row] = at[k];
  }
}

// The same, with a list that shifts at run-time positions.
__global__ void top32_shift(const float* scores, float* best, int* where, int n, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float top[32];
  int at[32];
  int held = 0;
  for (int i = 0; i < n; i++) {
    const float x = scores[i * rows + row];
    if (held == 32 && x <= top[31]) continue;
    int k = held < 32 ? held : 31;
    for (; k > 0 && top[k - 1] < x; k--) {
      top[k] = top[k - 1];
      at[k] = at[k - 1];
    }
    top[k] = x;
    at[k] = i;
    if (held < 32) held++;
  }
  for (int k = 0; k < held; k++) {
    best[k * rows + row] = top[k];
    where[k * rows + row] = at[k];
  }
}

__global__ void radix_count(const unsigned* keys, unsigned* counts, int shift, int n) {
  __shared__ unsigned local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[(keys[i] >> shift) & 15], 1u);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

__global__ void radix_private_digits(const unsigned* keys, unsigned* counts, int shift, int each) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned digit[16];
  for (int d = 0; d < 16; d++) digit[d] = 0;
  for (int k = 0; k < each; k++) digit[(keys[t * each + k] >> shift) & 15]++;
  for (int d = 0; d < 16; d++) counts[d * gridDim.x * blockDim.x + t] = digit[d];
}

__global__ void merge_path(const int* a, const int* b, int* out, int na, int nb, int each) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  if (first >= na + nb) return;
  int low = max(0, first - nb), high = min(first, na);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[first - 1 - middle]) low = middle + 1;
    else high = middle;
  }
  int i = low, j = first - low;
  for (int k = 0; k < each && first + k < na + nb; k++) {
    const bool from_a = j >= nb || (i < na && a[i] <= b[j]);
    out[first + k] = from_a ? a[i++] : b[j++];
  }
}

__global__ void median9(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= width - 1 || y >= height - 1) return;
  int v[9];
  for (int k = 0; k < 9; k++) v[k] = in[(y + k / 3 - 1) * width + x + k % 3 - 1];
  order(v[0], v[1]);
  order(v[3], v[4]);
  order(v[6], v[7]);
  order(v[1], v[2]);
  order(v[4], v[5]);
  order(v[7], v[8]);
  order(v[0], v[1]);
  order(v[3], v[4]);
  order(v[6], v[7]);
  v[6] = max(max(v[0], v[3]), v[6]);
  v[2] = min(min(v[2], v[5]), v[8]);
  order(v[1], v[4]);
  order(v[4], v[7]);
  v[4] = max(v[1], min(v[4], v[7]));
  order(v[2], v[4]);
  v[4] = max(v[2], min(v[4], v[6]));
  out[y * width + x] = static_cast<unsigned char>(v[4]);
}

__global__ void binary_search_many(const float* table, const float* wanted, int* out, int size, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = wanted[i];
  int low = 0, high = size;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (table[middle] < x) low = middle + 1;
    else high = middle;
  }
  out[i] = low;
}
