// Lists: the counter of the elements grows on a condition, so that no copies of a loop make the indices constant.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(128) clipped(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float inside[24];  // expect: RP403 warning @9 "`inside` of 24 x float"
  int m = 0;
  for (int k = 0; k < 24; ++k) {
    const float here = x[k * n + i];
    if (here > 0.0f) inside[m++] = here;
  }
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += inside[k] * inside[m - 1 - k];
  out[i] = s;
}

__global__ void __launch_bounds__(128) stepped(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float inside[24];  // expect: RP403 warning @9 "`inside` of 24 x float"
  int m = 0;
  for (int k = 0; k < 24; ++k) {
    if (x[k * n + i] > 0.0f) {
      inside[m] = x[k * n + i];
      ++m;
    }
  }
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += inside[k] * inside[m - 1 - k];
  out[i] = s;
}

__global__ void __launch_bounds__(128) bounded(const float* x, float* out, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float row[24];  // expect: RP403 warning @9 "`row` of 24 x float"
  for (int k = 0; k < m; ++k) row[k] = x[k * n + i];
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += row[k] * row[m - 1 - k];
  out[i] = s;
}

void run(const float* x, float* out, int m, int n) {
  clipped<<<n / 128, 128>>>(x, out, n);
  stepped<<<n / 128, 128>>>(x, out, n);
  bounded<<<n / 128, 128>>>(x, out, m, n);
}

// The n least in order: what is inserted moves the others.
__global__ void __launch_bounds__(128) least(const float* x, float* out, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best[24];  // expect: RP403 warning @9 "`best` of 24 x float" "in order"
  for (int k = 0; k < 24; ++k) best[k] = 1e30f;
  for (int j = 0; j < m; ++j) {
    const float here = x[j * 4096 + i];
    if (here < best[n - 1]) {
      int k = n - 1;
      for (; k > 0 && best[k - 1] > here; --k) best[k] = best[k - 1];
      best[k] = here;
    }
  }
  out[i] = best[n - 1] - best[0];
}

// Eight of them can be kept in order at constant places.
__global__ void __launch_bounds__(128) least_of_few(const float* x, float* out, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best[8];  // expect: RP403 warning @9 "`best` of 8 x float"
  for (int k = 0; k < 8; ++k) best[k] = 1e30f;
  for (int j = 0; j < m; ++j) {
    const float here = x[j * 4096 + i];
    int k = n - 1;
    for (; k > 0 && best[k - 1] > here; --k) best[k] = best[k - 1];
    if (best[k] > here) best[k] = here;
  }
  out[i] = best[n - 1] - best[0];
}

// A delay line moves its elements in any case.
__global__ void __launch_bounds__(128) delayed(const float* x, float* out, int m, int n) {
  float line[24] = {};  // expect: RP403 warning @9 "`line` of 24 x float"
  for (int j = 0; j < m; ++j) {
    for (int k = 0; k < n; ++k) line[k] = line[k + 1];
    line[n - 1] = x[j];
    out[j] = line[0] + line[n / 2];
  }
}

// A stack that grows until something else holds, and a list that a function is handed with its counter.
__global__ void __launch_bounds__(128) hull(const float2* p, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stack[24];  // expect: RP403 warning @7 "`stack` of 24 x int" "decides how many"
  int top = 0, at = 0, last = n / 2;
  stack[0] = 0;
  while (at != last) {
    at = last;
    for (int k = 0; k < n; ++k)
      if (p[k].x * p[stack[top]].y > p[at].x) at = k;
    top++;
    stack[top] = at;
  }
  float s = 0.0f;
  for (int k = 0; k <= top; ++k) s = s * 0.5f + p[stack[k]].x;
  out[i] = s;
}

__device__ void collect(const float* x, int m, int* at, int* count) {
  *count = 0;
  for (int k = 0; k < m; ++k) {
    if (x[k] > 0.0f) {
      at[*count] = k;
      ++(*count);
    }
  }
}

__global__ void __launch_bounds__(128) collected(const float* x, float* out, int m) {
  int at[24], n;  // expect: RP403 info @7 "`at` of 24 x int" "decides how many"
  collect(x + threadIdx.x * m, m, at, &n);
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s = s * 0.5f + x[at[k]];
  out[threadIdx.x] = s;
}

template <int K>
__device__ void sink(float* d, int root) {
  while (true) {
    int left = 2 * root + 1, right = 2 * root + 2, largest = root;
    if (left < K && d[left] > d[largest]) largest = left;
    if (right < K && d[right] > d[largest]) largest = right;
    if (largest == root) break;
    float t = d[root];
    d[root] = d[largest];
    d[largest] = t;
    root = largest;
  }
}

__global__ void __launch_bounds__(128) nearest(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float heap[32];  // expect: RP403 warning @9 "`heap` of 32 x float" "it is a heap"
  for (int k = 0; k < 32; ++k) heap[k] = 1e30f;
  for (int k = 0; k < n; ++k) {
    const float here = x[k * n + i];
    if (here < heap[0]) {
      heap[0] = here;
      sink<32>(heap, 0);
    }
  }
  for (int k = 0; k < 32; ++k) out[k * n + i] = heap[k];
}

// Pairs in a row, of which each is read at twice its number: no heap, but places that a bound decides.
__global__ void __launch_bounds__(128) pairs(const float* x, float* out, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float row[24];  // expect: RP403 warning @9 "`row` of 24 x float"
  for (int k = 0; k < m; ++k) row[k] = x[k * n + i];
  float s = 0.0f;
  for (int k = 0; 2 * k < m; ++k) s += row[2 * k] * s;
  out[i] = s;
}

// A list for each of several places, and how long each is: a column for one leaves the other in memory.
__global__ void __launch_bounds__(64) near_each(const float* x, int* out, int rows, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  short near[16][10];        // expect: RP403 info @9 "`near` of 160 x short" "decides how many elements it has"
  unsigned char count[16];   // expect: RP403 info @17 "`count` of 16 x unsigned char" "it has the lengths of lists"
  for (int k = 0; k < 16; ++k) count[k] = 0;
  for (int k = 0; k < rows; ++k) {
    for (int j = 0; j < n; ++j) {
      if (x[j] - x[k * n + i] > 1.0f) continue;
      const int l = count[k]++;
      near[k][l] = j;
    }
  }
  int s = 0;
  for (int k = 0; k < rows; ++k)
    for (int l = 0; l < count[k]; ++l) s += near[k][l] * l;
  out[i] = s;
}
