// Launches that exceed their bounds, and a bound that wastes registers.
#include <hip/hip_runtime.h>

// expect-next-line: RP102 error @17 "`__launch_bounds__(128)`, but is launched with 256 threads: the launch fails"
__global__ void __launch_bounds__(128) scale(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

constexpr int kThreads = 64;
// expect-next-line: RP102 error @12 "`__launch_bounds__(kThreads, 4)` (64), but is launched with 128 threads"
__global__ __launch_bounds__(kThreads, 4) void shift(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

template <int T>
// expect-next-line: RP102 error @17 "`__launch_bounds__(T)` (64), but is launched with 128 threads"
__global__ void __launch_bounds__(T) of_size(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

// expect-next-line: RP102 info @17 "has `__launch_bounds__(256)`, but is launched with 512 threads: the launch fails, if the size"
__global__ void __launch_bounds__(256) assigned(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

// expect-next-line: RP102 warning @17 "no visible launch has more than 256 threads" "caps it at 128 registers on gfx90a" "and the rest spills"
__global__ void __launch_bounds__(1024) sums(const double* __restrict__ a, double* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[72];  // expect: RP402 warning
#pragma unroll
  for (int k = 0; k < 72; ++k) s[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double v = a[j * n + i];
#pragma unroll
    for (int k = 0; k < 72; ++k) s[k] += v * (s[k] + k);
  }
#pragma unroll
  for (int k = 0; k < 72; ++k) b[k * n + i] = s[k];
}

// expect-next-line: RP102 hint @17 "which costs nothing here"
__global__ void __launch_bounds__(512) wide(const float* a, float* b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 2.0f * a[i];
}

void run(const float* a, float* b, const double* c, double* d, int m, int n) {
  scale<<<n / 256, 256>>>(a, b);
  shift<<<n / 128, dim3(16, 8)>>>(a, b);
  of_size<64>
      <<<n / 128, 128>>>(a, b);
  of_size<128>
      <<<n / 128, 128>>>(a, b);
  dim3 block(256);
  block.x = 512;
  assigned<<<n / 512, block>>>(a, b);
  sums<<<n / 256, 256>>>(c, d, m, n);
  wide<<<n / 256, 256>>>(a, b);
}
