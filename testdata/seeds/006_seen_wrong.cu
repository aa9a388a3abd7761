// targets: gfx908
// document: What the tool said wrongly at first

// technique: own_lds_cdna1 | 24 floats of each thread in LDS, or in registers, on CDNA 1
// rule: RP801
// why: at 6b53827 RP402 warned of the array on gfx908, which is what RP801 advises.
// differs: own_lds_cdna1 gfx908: the waves are what the rule is about, two and three by tool and compiler; the reads of LDS that are on their way take as many registers as the values.
__global__ void __launch_bounds__(256) own_lds_cdna1_smell(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float v[24][256];
  for (int k = 0; k < 24; ++k) v[k][threadIdx.x] = a[k * n + i];
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < 24; ++k) v[k][threadIdx.x] = v[k][threadIdx.x] * w[j] + 1.0f;
  for (int k = 0; k < 24; ++k) b[k * n + i] = v[k][threadIdx.x];
}

__global__ void __launch_bounds__(256) own_lds_cdna1_repaired(const float* a, const float* w, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[24];
  for (int k = 0; k < 24; ++k) v[k] = a[k * n + i];
  for (int j = 0; j < m; ++j)
    for (int k = 0; k < 24; ++k) v[k] = v[k] * w[j] + 1.0f;
  for (int k = 0; k < 24; ++k) b[k * n + i] = v[k];
}
