constexpr int TILE = 8;
#define SPLIT 1

// One warp group loads, two compute.
__global__ void __launch_bounds__(384, 1) roles(float* c, const float* a, int n) {
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    c[n] = a[threadIdx.x];
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    c[threadIdx.x] = a[threadIdx.x] * 2;
  }
}

__global__ void __launch_bounds__(256) tile(float* c, const float* a, int n) {
  float s[TILE];
#pragma unroll
  for (int k = 0; k < TILE; ++k) s[k] = a[k * n + threadIdx.x];
  for (int r = 0; r < n; ++r) {
#pragma unroll
    for (int k = 0; k < TILE; ++k) s[k] = s[k] * s[(k + 1) % TILE] + r;
  }
#pragma unroll
  for (int k = 0; k < TILE; ++k) c[k * n + threadIdx.x] = s[k];
}

__global__ void split(float* c, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, part = n / gridDim.z;
  float s = 0;
  for (int k = blockIdx.z * part; k < (blockIdx.z + 1) * part; ++k) s += a[k * n + i];
  atomicAdd(&c[i], s);
}

void run(float* c, const float* a, int n) {
  roles<<<132, 384>>>(c, a, n);
  tile<<<64, 256>>>(c, a, n);
  split<<<dim3(n / 256, 1, SPLIT), 256>>>(c, a, n);
}
