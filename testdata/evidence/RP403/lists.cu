// targets: gfx90a, gfx1100, sm_90
// Places in a list: how many entries there are is decided by what the thread meets. The lanes of a warp have nearly the
// same places, so that their accesses of local memory fall together.
__global__ void list_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float found[24];
  int n = 0;
  for (int j = 0; j < m; ++j) {
    float x = a[(size_t)j * 1048576 + i];
    if (x > 1.0f && n < 24) found[n++] = x;
  }
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s = s * 0.5f + found[k];
  b[i] = s;
}

__global__ void list_repaired(const float* a, float* b, int m) {
  __shared__ float found[24][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  int n = 0;
  for (int j = 0; j < m; ++j) {
    float x = a[(size_t)j * 1048576 + i];
    if (x > 1.0f && n < 24) found[n++][t] = x;
  }
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s = s * 0.5f + found[k][t];
  b[i] = s;
}

// The stack of a walk through a tree.
__global__ void stack_smell(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stack[24];
  int top = 0, steps = 0;
  float s = 0.0f;
  stack[top++] = i & 1023;
  while (top > 0 && steps < m) {
    int node = stack[--top];
    int x = a[node];
    s += x;
    ++steps;
    if (x > 16 && top < 22) {
      stack[top++] = (node * 5 + 3) & 1048575;
      stack[top++] = (node * 7 + x) & 1048575;
    }
  }
  b[i] = s;
}

__global__ void stack_repaired(const int* a, float* b, int m) {
  __shared__ int stack[24][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  int top = 0, steps = 0;
  float s = 0.0f;
  stack[top++][t] = i & 1023;
  while (top > 0 && steps < m) {
    int node = stack[--top][t];
    int x = a[node];
    s += x;
    ++steps;
    if (x > 16 && top < 22) {
      stack[top++][t] = (node * 5 + 3) & 1048575;
      stack[top++][t] = (node * 7 + x) & 1048575;
    }
  }
  b[i] = s;
}

// The n smallest so far, in order: insertion moves them from place to place.
__global__ void sorted_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best[24];
  for (int k = 0; k < 24; ++k) best[k] = 1e30f;
  for (int j = 0; j < m; ++j) {
    float x = a[(size_t)j * 1048576 + i];
    int k = n - 1;
    while (k > 0 && best[k - 1] > x) {
      best[k] = best[k - 1];
      --k;
    }
    if (best[k] > x) best[k] = x;
  }
  b[i] = best[n - 1] + best[0];
}

__global__ void sorted_repaired(const float* a, float* b, int m, int n) {
  __shared__ float best[24][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  for (int k = 0; k < 24; ++k) best[k][t] = 1e30f;
  for (int j = 0; j < m; ++j) {
    float x = a[(size_t)j * 1048576 + i];
    int k = n - 1;
    while (k > 0 && best[k - 1][t] > x) {
      best[k][t] = best[k - 1][t];
      --k;
    }
    if (best[k][t] > x) best[k][t] = x;
  }
  b[i] = best[n - 1][t] + best[0][t];
}

// The order of rows that a search for pivots changes: two entries an iteration.
// known miss: order sm_90: the fit of ptxas' choice says selects, beside a loop in the loop that reads and compares
__global__ void order_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int order[24];
  for (int k = 0; k < 24; ++k) order[k] = k;
  for (int j = 0; j < m; ++j) {
    int best = j;
    float most = 0.0f;
    for (int k = j; k < m; ++k) {
      float x = fabsf(a[(i * 16 + k * 3 + j) & 1048575]);
      if (x > most) {
        most = x;
        best = k;
      }
    }
    int kept = order[j];
    order[j] = order[best];
    order[best] = kept;
  }
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = s * 0.5f + order[k];
  b[i] = s;
}

__global__ void order_repaired(const float* a, float* b, int m) {
  __shared__ int order[24][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  for (int k = 0; k < 24; ++k) order[k][t] = k;
  for (int j = 0; j < m; ++j) {
    int best = j;
    float most = 0.0f;
    for (int k = j; k < m; ++k) {
      float x = fabsf(a[(i * 16 + k * 3 + j) & 1048575]);
      if (x > most) {
        most = x;
        best = k;
      }
    }
    int kept = order[j][t];
    order[j][t] = order[best][t];
    order[best][t] = kept;
  }
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = s * 0.5f + order[k][t];
  b[i] = s;
}
