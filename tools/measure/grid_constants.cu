// Arguments of at most 128 bytes that are indexed at run time, as nvcc copies them and as `__grid_constant__` leaves them:
//
//     nvcc -arch=sm_90 -O3 -std=c++17 -o grid_constants tools/measure/grid_constants.cu && ./grid_constants
//
// Prints best times of thirty runs in milliseconds: by value, with `__grid_constant__`. RP601's page shows those of an H200.
#include <cstdio>

struct Table {
  float w[24];
};
struct Rows {
  const float* at[8];
  int many;
};
struct Strides {
  int dims[10], strides[10], many;
  __device__ int offset(int i) const {
    int found = 0;
    for (int k = 0; k < many; ++k) {
      found += i % dims[k] * strides[k];
      i /= dims[k];
    }
    return found;
  }
};

#define THREAD int i = blockIdx.x * blockDim.x + threadIdx.x
#define TABLE(name, words)                                                                            \
  __global__ void name(words Table t, const unsigned* __restrict__ k, float* __restrict__ o, int m, int mask) { \
    THREAD;                                                                                           \
    float s = 0;                                                                                      \
    for (int j = 0; j < m; ++j) s += t.w[k[(i + j * 32) & mask]];                                     \
    o[i] = s;                                                                                         \
  }
TABLE(table_copied, )
TABLE(table_constant, const __grid_constant__)
#define STRIDES(name, words)                                                                          \
  __global__ void name(words Strides s, const float* __restrict__ a, float* __restrict__ o) {         \
    THREAD;                                                                                           \
    o[i] = a[s.offset(i)];                                                                            \
  }
STRIDES(strides_copied, )
STRIDES(strides_constant, const __grid_constant__)
#define ROWS(name, words)                                                                             \
  __global__ void name(words Rows a, float* __restrict__ o) {                                         \
    THREAD;                                                                                           \
    float s = 0;                                                                                      \
    for (int j = 0; j < a.many; ++j) s += a.at[j][i];                                                 \
    o[i] = s;                                                                                         \
  }
ROWS(rows_copied, )
ROWS(rows_constant, const __grid_constant__)

template <class F>
float best(F f) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  float least = 1e9;
  for (int run = 0; run < 30; ++run) {
    cudaEventRecord(begin);
    f();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float took;
    cudaEventElapsedTime(&took, begin, end);
    if (took < least) least = took;
  }
  return least;
}

int main() {
  const int n = 1 << 22, grid = n / 256;
  unsigned *k, *h = new unsigned[n];
  float *o, *x;
  cudaMalloc(&k, n * 4);
  cudaMalloc(&o, n * 4);
  cudaMalloc(&x, n * 4);
  Table t{};
  const char* names[3] = {"same element in a warp", "8 elements in a warp", "random elements"};
  for (int mode = 0; mode < 3; ++mode) {
    for (int i = 0; i < n; ++i) h[i] = mode == 0 ? (i / 32) % 24 : mode == 1 ? (i / 4) % 24 : ((i * 2654435761u) >> 8) % 24;
    cudaMemcpy(k, h, n * 4, cudaMemcpyHostToDevice);
    float copied = best([&] { table_copied<<<grid, 256>>>(t, k, o, 64, n - 1); });
    float constant = best([&] { table_constant<<<grid, 256>>>(t, k, o, 64, n - 1); });
    printf("table, %s: %.4f %.4f\n", names[mode], copied, constant);
  }
  Strides s{};
  s.many = 4;
  const int dims[4] = {16, 16, 16, 1024}, strides[4] = {1, 16, 256, 4096};
  for (int j = 0; j < 4; ++j) s.dims[j] = dims[j], s.strides[j] = strides[j];
  float copied = best([&] { strides_copied<<<grid, 256>>>(s, x, o); });
  printf("strides: %.4f %.4f\n", copied, best([&] { strides_constant<<<grid, 256>>>(s, x, o); }));
  Rows a;
  a.many = 8;
  for (int j = 0; j < 8; ++j) a.at[j] = x;
  copied = best([&] { rows_copied<<<grid, 256>>>(a, o); });
  printf("rows: %.4f %.4f\n", copied, best([&] { rows_constant<<<grid, 256>>>(a, o); }));
  return cudaDeviceSynchronize() != cudaSuccess;
}
