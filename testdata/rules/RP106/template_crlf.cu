// The size comes as a template argument, in a file with CRLF line ends.
#include <cuda_runtime.h>

template <int Threads>
__global__ void scale(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2.0f * a[i];
}

template <int Threads>
__global__ void add(const float* a, float* b, int n) {
  int i = blockIdx.x * Threads + threadIdx.x;
  if (i < n) b[i] += a[i];
}

template <int Threads>
void launch(const float* a, float* b, int n) {
  scale<Threads><<<(n + Threads - 1) / Threads, Threads>>>(a, b, n);
}

constexpr int kThreads = 6 * 6;

void run(const float* a, float* b, int n) {
  // expect-next-line: RP106 info @24 "launched with 36 threads per block: 28 of the 64 lanes"
  scale<kThreads><<<n, kThreads>>>(a, b, n);  // the other launch's size is not in view
  add<kThreads><<<n, dim3(kThreads, 1, 1)>>>(a, b, n);  // expect: RP106 warning @22 "28 of the 64 lanes"
}
