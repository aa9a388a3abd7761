// A bound that fits, and a kernel that nobody launches here.
__global__ void __launch_bounds__(512, 2) scale(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

__global__ void __launch_bounds__(64) nobody(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, int n) { scale<<<n / 512, 512>>>(a, b); }
