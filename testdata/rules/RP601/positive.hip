// By-value arguments that every thread has to copy: written at a run-time index, or handed to a function by address.
#include <hip/hip_runtime.h>

struct Bins {
  float count[16];
};

__global__ void tally(Bins bins, const int* key, float* out, int m, int n) {  // expect: RP601 warning @28 "`bins` (Bins, 64 bytes)" "written" "bins.count[key[k * n + i] & 15]"
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < m; ++k) bins.count[key[k * n + i] & 15] += 1.0f;
  out[i] = bins.count[0] + bins.count[15];
}

__device__ __attribute__((noinline)) float pick(const Bins& bins, int i) { return bins.count[i & 15]; }

__global__ void handed(Bins bins, const int* key, float* out) {  // expect: RP601 warning @29 "`pick`, which is not inlined"
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = pick(bins, key[i]);
}

__global__ void patch(Bins bins, const int* key, float* out) {  // expect: RP601 warning @28
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bins.count[2] += i;
  out[i] = bins.count[key[i] & 15];
}
