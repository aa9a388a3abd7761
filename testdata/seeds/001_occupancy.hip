// targets: gfx906
// document: 001 occupancy on GCN
#include <hip/hip_runtime.h>

// technique: lds_limit | 32 KiB of LDS in blocks of 256: 8 of 40 waves
// rule: RP105
// why: 64 KiB / 32 KiB are two blocks of four waves. 2.5 KiB a wave are the most that all 40 can have.
__global__ void __launch_bounds__(256) lds_limit_smell(const float* a, float* b) {
  __shared__ float t[8192];
  t[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  b[blockIdx.x * 256 + threadIdx.x] = t[255 - threadIdx.x];
}

__global__ void __launch_bounds__(256) lds_limit_repaired(const float* a, float* b) {
  __shared__ float t[1536];
  t[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  b[blockIdx.x * 256 + threadIdx.x] = t[255 - threadIdx.x];
}

// technique: block_128 | blocks of 128: 16 of them are 32 of 40 waves
// rule: RP106
// why: a CU takes 16 blocks of more than one wave; blocks of 256 fill it.
__global__ void block_128_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}

__global__ void block_128_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}

// technique: block_384 | blocks of 384: six of six waves are 36 of 40
// rule: RP106
// why: 6 does not divide 40; blocks of 64, 256, 320 and 512 fill the unit.
__global__ void block_384_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 3.0f;
}

__global__ void block_384_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 3.0f;
}

void launch(const float* a, float* b, int n) {
  block_128_smell<<<(n + 127) / 128, 128>>>(a, b, n);
  block_128_repaired<<<(n + 255) / 256, 256>>>(a, b, n);
  block_384_smell<<<(n + 383) / 384, 384>>>(a, b, n);
  block_384_repaired<<<(n + 319) / 320, 320>>>(a, b, n);
}
