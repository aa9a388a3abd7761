// Graphs, trees, sparse matrices, histograms, text: irregular accesses and atomics.
#include "common.h"

__global__ void bfs_level(const int* rows, const int* columns, int* level, int* changed, int depth, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || level[v] != depth) return;
  for (int e = rows[v]; e < rows[v + 1]; e++) {
    const int u = columns[e];
    if (level[u] < 0) {
      level[u] = depth + 1;
      *changed = 1;
    }
  }
}

__global__ void bfs_queue(const int* rows, const int* columns, int* level, const int* frontier, int* next, int* count, int depth, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int v = frontier[i];
  for (int e = rows[v]; e < rows[v + 1]; e++) {
    const int u = columns[e];
    if (atomicCAS(&level[u], -1, depth) == -1) next[atomicAdd(count, 1)] = u;
  }
}

__global__ void relax_edges(const int* from, const int* to, const int* weight, int* distance, int* changed, int edges) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  const int d = distance[from[e]];
  if (d == 0x7fffffff) return;
  if (atomicMin(&distance[to[e]], d + weight[e]) > d + weight[e]) *changed = 1;
}

__global__ void page_rank(const int* rows, const int* columns, const float* rank, const int* degree, float* next, float damping, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  float sum = 0.0f;
  for (int e = rows[v]; e < rows[v + 1]; e++) sum += rank[columns[e]] / degree[columns[e]];
  next[v] = (1.0f - damping) / n + damping * sum;
}

__global__ void triangle_count(const int* rows, const int* columns, unsigned long long* total, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n) return;
  unsigned count = 0;
  for (int e = rows[v]; e < rows[v + 1]; e++) {
    const int u = columns[e];
    if (u <= v) continue;
    int a = rows[v], b = rows[u];
    while (a < rows[v + 1] && b < rows[u + 1]) {
      const int x = columns[a], y = columns[b];
      count += x == y && x > u;
      a += x <= y;
      b += y <= x;
    }
  }
  atomicAdd(total, static_cast<unsigned long long>(count));
}

__global__ void union_find_hook(const int2* edges, int* parent, int* changed, int m) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m) return;
  int a = edges[e].x, b = edges[e].y;
  while (parent[a] != a) a = parent[a];
  while (parent[b] != b) b = parent[b];
  if (a == b) return;
  const int low = min(a, b), high = max(a, b);
  if (atomicCAS(&parent[high], high, low) == high) *changed = 1;
}

__global__ void colour_greedy(const int* rows, const int* columns, int* colour, const unsigned* priority, int n) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= n || colour[v] >= 0) return;
  unsigned long long used = 0;
  for (int e = rows[v]; e < rows[v + 1]; e++) {
    const int u = columns[e];
    if (colour[u] < 0 && priority[u] > priority[v]) return;
    if (colour[u] >= 0) used |= 1ull << (colour[u] & 63);
  }
  colour[v] = __ffsll(static_cast<long long>(~used)) - 1;
}

struct Node {
  float low[3], high[3];
  int left, right;
};

// A walk through a tree of boxes with a private stack.
__global__ void tree_query(const Node* nodes, const float* points, int* found, float radius, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
  int stack[32];
  int top = 0, count = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Node node = nodes[stack[--top]];
    const float dx = fmaxf(fmaxf(node.low[0] - x, x - node.high[0]), 0.0f);
    const float dy = fmaxf(fmaxf(node.low[1] - y, y - node.high[1]), 0.0f);
    const float dz = fmaxf(fmaxf(node.low[2] - z, z - node.high[2]), 0.0f);
    if (dx * dx + dy * dy + dz * dz > radius * radius) continue;
    if (node.left < 0) {
      count += node.right;
    } else {
      stack[top++] = node.left;
      stack[top++] = node.right;
    }
  }
  found[i] = count;
}

__global__ void kd_nearest(const float4* nodes, const float3* query, int* best, int size, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 q = query[i];
  float nearest = 3.4e38f;
  int which = -1, at = 1, before = 0;
  while (at > 0) {
    const float4 p = nodes[at];
    const int axis = (31 - __clz(at)) % 3;
    const float gap = axis == 0 ? q.x - p.x : axis == 1 ? q.y - p.y : q.z - p.z;
    const int close = 2 * at + (gap > 0.0f), far = close ^ 1;
    int next = at / 2;
    if (before == at / 2) {
      const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z, d = dx * dx + dy * dy + dz * dz;
      if (d < nearest) {
        nearest = d;
        which = at;
      }
      next = close < size ? close : far < size && gap * gap < nearest ? far : at / 2;
    } else if (before == close && far < size && gap * gap < nearest) {
      next = far;
    }
    before = at;
    at = next;
  }
  best[i] = which;
}

__global__ void spmv_csr_row(const int* rows, const int* columns, const double* values, const double* x, double* y, int n) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  double sum = 0.0;
  for (int k = rows[r]; k < rows[r + 1]; k++) sum += values[k] * x[columns[k]];
  y[r] = sum;
}

__global__ void spmv_csr_lanes(const int* rows, const int* columns, const float* values, const float* x, float* y, int n) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
  if (r >= n) return;
  float sum = 0.0f;
  for (int k = rows[r] + lane; k < rows[r + 1]; k += LANES) sum += values[k] * x[columns[k]];
  for (int d = LANES / 2; d > 0; d /= 2) sum += SHFL_DOWN(sum, d);
  if (lane == 0) y[r] = sum;
}

__global__ void spmv_ell(const int* columns, const float* values, const float* x, float* y, int width, int n) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < width; k++) {
    const int c = columns[k * n + r];
    if (c >= 0) sum += values[k * n + r] * x[c];
  }
  y[r] = sum;
}

__global__ void spmm_block4(const int* rows, const int* columns, const float* blocks, const float* x, float* y, int n) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int k = rows[r]; k < rows[r + 1]; k++) {
    const float* b = blocks + 16 * k;
    const float* v = x + 4 * columns[k];
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) sum[i] += b[4 * i + j] * v[j];
  }
  for (int i = 0; i < 4; i++) y[4 * r + i] = sum[i];
}

__global__ void histogram_shared(const unsigned char* in, unsigned* out, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

__global__ void histogram_private32(const unsigned char* in, unsigned* out, int each) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bins[32];
  for (int k = 0; k < 32; k++) bins[k] = 0;
  for (int k = 0; k < each; k++) bins[in[t * each + k] >> 3]++;
  for (int k = 0; k < 32; k++) atomicAdd(&out[k], bins[k]);
}

__global__ void histogram_compare8(const float* in, unsigned* out, float low, float step, int n) {
  unsigned bins[8] = {};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int b = static_cast<int>((in[i] - low) / step);
#pragma unroll
    for (int k = 0; k < 8; k++) bins[k] += b == k;
  }
#pragma unroll
  for (int k = 0; k < 8; k++) atomicAdd(&out[k], bins[k]);
}

__global__ void atomic_max_float(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* to = reinterpret_cast<int*>(out);
  int old = *to;
  while (__int_as_float(old) < in[i]) {
    const int seen = atomicCAS(to, old, __float_as_int(in[i]));
    if (seen == old) break;
    old = seen;
  }
}

__global__ void find_pattern(const char* text, const char* pattern, int* hits, int length, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > length - m) return;
  int k = 0;
  while (k < m && text[i + k] == pattern[k]) k++;
  if (k == m) atomicAdd(hits, 1);
}

__global__ void edit_distance16(const char* words, const char* wanted, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int row[17];
#pragma unroll
  for (int k = 0; k <= 16; k++) row[k] = k;
  for (int j = 0; j < 16; j++) {
    int diagonal = j;
    row[0] = j + 1;
    const char c = words[j * n + i];
#pragma unroll
    for (int k = 1; k <= 16; k++) {
      const int above = row[k];
      row[k] = min(min(above, row[k - 1]) + 1, diagonal + (c != wanted[k - 1]));
      diagonal = above;
    }
  }
  out[i] = row[16];
}

// Scores of an alignment with gaps; two rows in private memory, the length is an argument.
__global__ void align_affine(const char* a, const char* b, int* out, int length, int open, int extend, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int h[128], e[128];
  for (int k = 0; k < length; k++) {
    h[k] = 0;
    e[k] = -1000;
  }
  int best = 0;
  for (int j = 0; j < length; j++) {
    int diagonal = 0, left = 0, f = -1000;
    const char c = a[j * n + i];
    for (int k = 0; k < length; k++) {
      e[k] = max(e[k] - extend, h[k] - open);
      f = max(f - extend, left - open);
      const int here = max(max(0, diagonal + (c == b[k * n + i] ? 2 : -1)), max(e[k], f));
      diagonal = h[k];
      h[k] = here;
      left = here;
      best = max(best, here);
    }
  }
  out[i] = best;
}

__global__ void bit_parallel_match(const unsigned char* text, const unsigned long long* masks, int* ends, int length, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long plus = ~0ull, minus = 0;
  int score = m, best = m;
  for (int k = 0; k < length; k++) {
    const unsigned long long eq = masks[text[k * n + i]];
    const unsigned long long x = (((eq & plus) + plus) ^ plus) | eq;
    unsigned long long up = minus | ~(x | plus), down = plus & x;
    score += static_cast<int>((up >> (m - 1)) & 1) - static_cast<int>((down >> (m - 1)) & 1);
    up <<= 1;
    down <<= 1;
    plus = down | ~((eq | minus) | up);
    minus = up & (eq | minus);
    best = min(best, score);
  }
  ends[i] = best;
}
