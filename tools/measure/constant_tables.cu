// A table of N constants that each thread copies into local memory, or one that is `static`: what a kernel takes that
// reads it at an index of each thread's own, once or in a loop.
//
//     nvcc -O3 -arch=sm_90 tools/measure/constant_tables.cu -o tables && ./tables
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>

constexpr int kThreads = 1 << 20, kBlock = 256, kMost = 512;

#define EIGHT(x) x, x + 0.1f, x + 0.2f, x + 0.3f, x + 0.4f, x + 0.5f, x + 0.6f, x + 0.7f
#define SIXTEEN EIGHT(0.1f), EIGHT(2.3f)
#define SIXTY_FOUR SIXTEEN, EIGHT(4.1f), EIGHT(5.2f), EIGHT(6.3f), EIGHT(7.4f), EIGHT(8.5f), EIGHT(9.6f)
#define MANY SIXTY_FOUR, SIXTY_FOUR, SIXTY_FOUR, SIXTY_FOUR

// `loaded`: the index comes from memory. `made`: by arithmetic, so that little else is done than reading the table.
#define KERNELS(NAME, N, STORAGE, ...)                                                       \
  __global__ void loaded_##NAME(const int* in, float* out, int reads) {                      \
    const int i = blockIdx.x * kBlock + threadIdx.x;                                         \
    STORAGE const float table[] = {__VA_ARGS__};                                             \
    float sum = 0;                                                                           \
    for (int k = 0; k < reads; ++k) sum += table[unsigned(in[k * kThreads + i]) % N];        \
    out[i] = sum;                                                                            \
  }                                                                                          \
  __global__ void made_##NAME(const int*, float* out, int reads) {                           \
    const int i = blockIdx.x * kBlock + threadIdx.x;                                         \
    STORAGE const float table[] = {__VA_ARGS__};                                             \
    float sum = 0;                                                                           \
    unsigned state = i;                                                                      \
    for (int k = 0; k < reads; ++k) {                                                        \
      state = state * 1664525u + 1013904223u;                                                \
      sum = sum * 0.99f + table[(state >> 9) % N];                                           \
    }                                                                                        \
    out[i] = sum;                                                                            \
  }

KERNELS(local_16, 16, , SIXTEEN)
KERNELS(static_16, 16, static, SIXTEEN)
KERNELS(local_64, 64, , SIXTY_FOUR)
KERNELS(static_64, 64, static, SIXTY_FOUR)
KERNELS(local_256, 256, , MANY)
KERNELS(static_256, 256, static, MANY)

__global__ void fill(int* in, size_t count) {
  const size_t stride = size_t(gridDim.x) * kBlock;
  size_t i = blockIdx.x * size_t(kBlock) + threadIdx.x;
  for (; i < count; i += stride) in[i] = (i * 2654435761u >> 8) & 0xffff;
}

float milliseconds(void (*kernel)(const int*, float*, int), const int* in, float* out, int reads) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  float best = 1e9f;
  for (int run = 0; run < 15; ++run) {
    float took = 0;
    cudaEventRecord(begin);
    kernel<<<kThreads / kBlock, kBlock>>>(in, out, reads);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&took, begin, end);
    if (run) best = std::min(best, took);
  }
  return best;
}

int main() {
  int* in;
  float* out;
  const size_t count = size_t(kMost) * kThreads;
  cudaMalloc(&in, count * sizeof(int));
  cudaMalloc(&out, kThreads * sizeof(float));
  fill<<<8192, kBlock>>>(in, count);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  printf("%s, CUDA %d: how many times as fast with `static`\n", device.name, CUDART_VERSION);
  printf("| reads | loaded: 16 | 64 | 256 | made: 16 | 64 | 256 |\n");
  for (int reads = 1; reads <= kMost; reads *= 8) {
    const auto row = [&](auto local, auto shared) {
      printf(" | %.2f", milliseconds(local, in, out, reads) / milliseconds(shared, in, out, reads));
    };
    printf("| %d", reads);
    row(loaded_local_16, loaded_static_16);
    row(loaded_local_64, loaded_static_64);
    row(loaded_local_256, loaded_static_256);
    row(made_local_16, made_static_16);
    row(made_local_64, made_static_64);
    row(made_local_256, made_static_256);
    printf(" |\n");
  }
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) printf("error: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
