// nvcc copies an argument of up to 128 bytes also to read it at an index that it does not know.
#include <cuda_runtime.h>

struct Taps {
  float weight[20];
};

__global__ void filter(Taps taps, const float* a, float* out, int m, int n) {  // expect: RP601 warning @29 "`taps` (Taps, 80 bytes) is read" "`taps.weight[k]`"
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += taps.weight[k] * a[k * n + i];
  out[i] = s;
}

__global__ void gather(Taps taps, const int* key, float* out, int m, int n) {  // expect: RP601 info @29 "is indexed at run time"
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += taps.weight[key[k * n + i]];
  out[i] = s;
}

__global__ void tally(Taps taps, const int* key, float* out, int m, int n) {  // expect: RP601 warning @28 "is written"
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < m; ++k) taps.weight[key[k * n + i]] += 1.0f;
  out[i] = taps.weight[0];
}
