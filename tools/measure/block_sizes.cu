// What a block size costs in time: idle lanes, and wave slots that stay empty. The numbers of RP106's page.
//
//   nvcc -arch=sm_90 -O3 -std=c++17 -Xptxas -v -o block_sizes tools/measure/block_sizes.cu && ./block_sizes
//
// Prints one line per block size: milliseconds (best of seven) and resident warps per SM of each kernel.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kElements = 1 << 26;
constexpr int kFewer = 1 << 23;
constexpr int kRows = 1 << 24;
constexpr int kRounds = 16;

__global__ void stream(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 1.5f + 2.0f;
}

__global__ void grid_stride(const float* a, float* b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) b[i] = a[i] * 1.5f + 2.0f;
}

__global__ void chain(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i];
  float s = 0.0f, t = 1.0f, u = 2.0f;
#pragma unroll 16
  for (int k = 0; k < 512; ++k) {
    s = s * x + 1.0001f;
    t = t * x + s;
    u = u * x + 0.5f;
  }
  b[i] = s + t + u;
}

__global__ void gather(const int* next, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int j = i;
  for (int k = 0; k < 8; ++k) j = next[j];
  b[i] = static_cast<float>(j);
}

extern __shared__ float shared[];

__global__ void neighbours(const float* a, float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  float sum = 0.0f;
  for (int round = 0; round < 8; ++round) {
    shared[t] = i < n ? a[i] + sum : 0.0f;
    __syncthreads();
    sum += shared[t ? t - 1 : 0] + shared[t + 1 < blockDim.x ? t + 1 : t];
    __syncthreads();
  }
  if (i < n) b[i] = sum;
}

// Sums that 16 loads feed. 24 of them take 32 registers, 32 take 40: with 1,024 threads two blocks fit, or one.
template <int Sums>
__global__ void loads(const float* a, float* b, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s[Sums];
#pragma unroll
  for (int k = 0; k < Sums; ++k) s[k] = static_cast<float>(k);
  for (int round = 0; round < rounds; ++round) {
    const float v = a[i + static_cast<size_t>(round) * n];
#pragma unroll
    for (int k = 0; k < Sums; ++k) s[k] = s[k] * v + static_cast<float>(k + round);
  }
  float total = 0.0f;
#pragma unroll
  for (int k = 0; k < Sums; ++k) total += s[k] * s[(k * 7) % Sums];
  b[i] = total;
}

template <typename Launch>
float best(Launch launch) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  float least = 1e9f;
  launch();
  for (int repeat = 0; repeat < 7; ++repeat) {
    cudaEventRecord(start);
    launch();
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float time = 0.0f;
    cudaEventElapsedTime(&time, start, stop);
    least = std::min(least, time);
  }
  return least;
}

template <typename Kernel>
int warps(Kernel kernel, int block, size_t bytes = 0) {
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, bytes);
  return blocks * ((block + 31) / 32);
}

void print(const char* name, float milliseconds, int resident) {
  std::printf("  %s %.4f (%d)", name, milliseconds, resident);
}

int main() {
  float *a = nullptr, *b = nullptr, *rows = nullptr;
  int* next = nullptr;
  cudaMalloc(&a, kElements * sizeof(float));
  cudaMalloc(&b, kElements * sizeof(float));
  cudaMalloc(&rows, static_cast<size_t>(kRows) * kRounds * sizeof(float));
  cudaMemset(rows, 0, static_cast<size_t>(kRows) * kRounds * sizeof(float));
  cudaMalloc(&next, kElements * sizeof(int));
  cudaMemset(a, 0, kElements * sizeof(float));
  std::vector<int> random(kElements);
  unsigned long long state = 88172645463325252ull;
  for (int& index : random) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    index = static_cast<int>(state % kElements);
  }
  cudaMemcpy(next, random.data(), kElements * sizeof(int), cudaMemcpyHostToDevice);
  int units = 0;
  cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0);
  for (const int size : {16, 24, 32, 36, 48, 64, 96, 100, 128, 176, 192, 250, 256, 384, 512, 640, 768, 1024}) {
    const int grid = (kElements + size - 1) / size, small = (kFewer + size - 1) / size;
    const size_t bytes = size * sizeof(float);
    const int full = units * warps(grid_stride, size) / ((size + 31) / 32);
    const int tall = (kRows + size - 1) / size;
    std::printf("%4d", size);
    print("stream", best([&] { stream<<<grid, size>>>(a, b, kElements); }), warps(stream, size));
    print("stride", best([&] { grid_stride<<<full, size>>>(a, b, kElements); }), warps(grid_stride, size));
    print("chain", best([&] { chain<<<small, size>>>(a, b, kFewer); }), warps(chain, size));
    print("lds", best([&] { neighbours<<<grid, size, bytes>>>(a, b, kElements); }), warps(neighbours, size, bytes));
    print("loads32", best([&] { loads<24><<<tall, size>>>(rows, b, kRows, kRounds); }), warps(loads<24>, size));
    print("loads40", best([&] { loads<32><<<tall, size>>>(rows, b, kRows, kRounds); }), warps(loads<32>, size));
    print("gather", best([&] { gather<<<small, size>>>(next, b, kFewer); }), warps(gather, size));
    std::printf("  %s\n", cudaGetErrorString(cudaGetLastError()));
  }
  return 0;
}
