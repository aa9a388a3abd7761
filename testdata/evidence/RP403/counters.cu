// targets: gfx90a, sm_90
// launch: block=128
// A thread that counts for itself, and adds its counts to those of all: one histogram of the block does as well.
__global__ void counters_smell(const unsigned char* in, unsigned* out, int n, int m) {
  unsigned bins[64];
  for (int i = 0; i < 64; ++i) bins[i] = 0;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < m; ++i) bins[in[t + i * n] & 63]++;
  for (int i = 0; i < 64; ++i) atomicAdd(&out[i], bins[i]);
}

__global__ void counters_repaired(const unsigned char* in, unsigned* out, int n, int m) {
  __shared__ unsigned bins[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < m; ++i) atomicAdd(&bins[in[t + i * n] & 63], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) atomicAdd(&out[i], bins[i]);
}
