// Bounds that hold, and launches whose size is not known.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) exact(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

__global__ void __launch_bounds__(256) looser(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

__global__ void __launch_bounds__(256) unknown(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

__global__ void __launch_bounds__(1024) partly(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

__global__ void __launch_bounds__(128) nobody(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

// Two definitions: which of them a build has, a launch does not say.
#ifdef SMALL
__global__ void __launch_bounds__(64) either(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}
#else
__global__ void __launch_bounds__(256) either(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}
#endif

template <int T>
__global__ void __launch_bounds__(T) of_size(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, int n, int threads) {
  exact<<<n / 256, 256>>>(a, b);
  looser<<<n / 192, 192>>>(a, b);
  unknown<<<n / threads, threads>>>(a, b);
  partly<<<n / 256, 256>>>(a, b);
  partly<<<n / threads, threads>>>(a, b);
  either<<<n / 256, 256>>>(a, b);
  of_size<64><<<n / 64, 64>>>(a, b);
  of_size<128><<<n / 128, 128>>>(a, b);
}
