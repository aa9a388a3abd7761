// Macros that a build may define otherwise.
#ifdef FERMI
#define THREADS 128
#else
#define THREADS 256
#endif
__global__ void __launch_bounds__(THREADS) scale(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, int n) { scale<<<n / 512, 512>>>(a, b); }
