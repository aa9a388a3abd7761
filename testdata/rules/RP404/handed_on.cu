// An array that a function hands on to another one, which writes it, is no table: its zeros are where the sums begin.
#include <cuda_runtime.h>

template <int L>
static __device__ __forceinline__ void add_one(float x, float factor, float* sums) {
  int at = L * L - 1;
  for (int n = 0; n <= L; ++n) sums[at++] += x * factor;
}

static __device__ __forceinline__ void add(int most, float x, float factor, float* sums) {
  x *= 2.0f;
  if (most >= 1) add_one<1>(x, factor, sums);
  if (most >= 2) add_one<2>(x, factor, sums);
}

static __device__ __forceinline__ float norm(const float* sums, int first) {
  float squares = 0.0f;
  for (int k = 0; k < 8; ++k) squares += sums[first + k] * sums[first + k];
  return squares;
}

__global__ void moments(const float* in, const int* first, float* out, int most, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sums[80] = {0.0f};  // expect: RP403
  for (int k = 0; k < n; ++k) add(most, in[i + k], in[i + n + k], sums);
  out[i] = norm(sums, first[i]);
}
