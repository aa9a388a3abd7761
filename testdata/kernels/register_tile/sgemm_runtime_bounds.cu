// SGEMM register tile whose size is an argument: the tile is indexed at run time and lives in memory.
// launch: block=256 dynamic_lds=0
#include <cuda_runtime.h>

constexpr int kTileM = 128;  // rows of C per block
constexpr int kTileN = 128;  // columns of C per block
constexpr int kTileK = 8;
constexpr int kPerThread = 8;  // each thread owns kPerThread x kPerThread elements of C
constexpr int kThreads = (kTileM / kPerThread) * (kTileN / kPerThread);

// C = alpha A B + beta C, row-major; m, n and k are multiples of the tile sizes.
__global__ __launch_bounds__(kThreads) void sgemm_tile(const float* a, const float* b, float* c, int n, int k,
                                                       float alpha, float beta,
                                                       int used_m, int used_n) {
  __shared__ float panel_a[kTileK][kTileM];
  __shared__ float panel_b[kTileK][kTileN];
  const int row = threadIdx.x / (kTileN / kPerThread) * kPerThread;
  const int col = threadIdx.x % (kTileN / kPerThread) * kPerThread;
  const float* block_a = a + static_cast<size_t>(blockIdx.y) * kTileM * k;
  const float* block_b = b + static_cast<size_t>(blockIdx.x) * kTileN;

  float sum[kPerThread][kPerThread] = {};  // expect: RP407 warning @9 "register tile `sum` of 64 x float"
  for (int start = 0; start < k; start += kTileK) {
    for (int at = threadIdx.x; at < kTileM * kTileK; at += kThreads) {
      panel_a[at % kTileK][at / kTileK] = block_a[at / kTileK * k + start + at % kTileK];
      panel_b[at / kTileN][at % kTileN] = block_b[(start + at / kTileN) * n + at % kTileN];
    }
    __syncthreads();
    for (int inner = 0; inner < kTileK; ++inner) {
      float left[kPerThread];
      float right[kPerThread];
      for (int i = 0; i < used_m; ++i) left[i] = panel_a[inner][row + i];
      for (int j = 0; j < used_n; ++j) right[j] = panel_b[inner][col + j];
      for (int i = 0; i < used_m; ++i) {
        for (int j = 0; j < used_n; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }

  float* block_c = c + (static_cast<size_t>(blockIdx.y) * kTileM + row) * n + blockIdx.x * kTileN + col;
  for (int i = 0; i < used_m; ++i) {
    for (int j = 0; j < used_n; ++j) block_c[i * n + j] = alpha * sum[i][j] + beta * block_c[i * n + j];
  }
}

void sgemm(const float* a, const float* b, float* c, int m, int n, int k, float alpha, float beta,
           int used_m, int used_n, cudaStream_t stream) {
  const dim3 grid(n / kTileN, m / kTileM);
  sgemm_tile<<<grid, kThreads, 0, stream>>>(a, b, c, n, k, alpha, beta, used_m, used_n);
}
