// targets: gfx908, gfx90a, sm_90
// document: 003 EmPRiSM sprint

// technique: own_values | twelve values of a thread in LDS, 24 KiB a block, as registers
// rule: RP801
// why: no other thread reads them. LDS held the document's kernel at 25 %; in registers it is the registers that count.
// differs: own_values gfx908: clang holds twelve addresses of LDS besides; the waves, which are the point, are right.
// differs: own_values gfx90a: clang holds twelve addresses of LDS besides; the waves, which are the point, are right.
__global__ void __launch_bounds__(512) own_values_smell(const float* a, const float* u, float* b, int m, int n) {
  __shared__ float s[12][512];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 12; ++k) s[k][threadIdx.x] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i], y = u[j * n + i];
#pragma unroll
    for (int k = 0; k < 12; ++k) s[k][threadIdx.x] += x * y + k;
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < 12; ++k) b[k * n + i] = s[k][threadIdx.x];
}

__global__ void __launch_bounds__(512) own_values_repaired(const float* a, const float* u, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) s[k] = 0.0f;
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i], y = u[j * n + i];
#pragma unroll
    for (int k = 0; k < 12; ++k) s[k] += x * y + k;
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < 12; ++k) b[k * n + i] = s[k];
}

// technique: bounds | `__launch_bounds__(256)` against 20 bytes of scratch
// rule:
// why: the document's compiler spilled a kernel of 64 VGPRs. Today's spill where a kernel wants more than the 128 of the default.
// differs: bounds gfx908: the estimate is three registers below the default budget, its band reaches above.
// differs: bounds gfx90a: the estimate is three registers below the default budget, its band reaches above.
__global__ void bounds_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = a[k * n + i];
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + i] = s[k];
}

__global__ void __launch_bounds__(256) bounds_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[40];
#pragma unroll
  for (int k = 0; k < 40; ++k) s[k] = a[k * n + i];
  for (int j = 0; j < m; ++j) {
    float x = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 40; ++k) s[k] = s[k] * x + s[(k + 1) % 40];
  }
#pragma unroll
  for (int k = 0; k < 40; ++k) b[k * n + i] = s[k];
}
