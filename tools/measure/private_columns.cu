// A private array of N floats in local memory, or in a column of shared memory: what each update costs, when all threads
// have the same index (a loop counter up to a bound known at run time), and when each thread has its own. Nothing else
// is computed, so the times are an upper bound of what the change brings.
//
//     nvcc -O3 -arch=sm_90 tools/measure/private_columns.cu -o columns && ./columns
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kThreads = 1 << 20;
constexpr int kRounds = 8;

template <int N, bool SHARED, bool OWN, int BLOCK>
__global__ void __launch_bounds__(BLOCK) updates(const float* in, float* out, int n) {
  extern __shared__ float column[];
  float local[N];
  const int t = blockIdx.x * BLOCK + threadIdx.x;
  auto at = [&](int i) -> float& { return SHARED ? column[i * BLOCK + threadIdx.x] : local[i]; };
  for (int i = 0; i < n; ++i) at(i) = in[(t + i * 977) & (kThreads - 1)];
  unsigned hash = t * 2654435761u;
  float sum = 0;
  for (int r = 0; r < kRounds; ++r) {
#pragma unroll 1
    for (int i = 0; i < n; ++i) {
      hash = hash * 1664525u + 1013904223u;
      const int k = OWN ? (hash >> 8) % N : i;
      sum = fmaf(at(k), 0.5f, sum);
      at(k) += sum;
    }
  }
  out[t] = sum;
}

template <int N, bool SHARED, bool OWN, int BLOCK>
float milliseconds(const float* in, float* out, int* warps) {
  const size_t bytes = SHARED ? N * BLOCK * sizeof(float) : 0;
  auto kernel = updates<N, SHARED, OWN, BLOCK>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(warps, kernel, BLOCK, bytes);
  *warps *= BLOCK / 32;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  float best = 1e9f;
  for (int run = 0; run < 6; ++run) {
    cudaEventRecord(begin);
    kernel<<<kThreads / BLOCK, BLOCK, bytes>>>(in, out, N);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float took = 0;
    cudaEventElapsedTime(&took, begin, end);
    if (run && took < best) best = took;
  }
  return best;
}

template <int N, int BLOCK>
void row(const float* in, float* out) {
  int local, column;
  const float same = milliseconds<N, false, false, BLOCK>(in, out, &local);
  const float same_column = milliseconds<N, true, false, BLOCK>(in, out, &column);
  const float own = milliseconds<N, false, true, BLOCK>(in, out, &local);
  const float own_column = milliseconds<N, true, true, BLOCK>(in, out, &column);
  printf("| %d | %d | %d -> %d | %.3g -> %.3g (%.1f x) | %.3g -> %.3g (%.1f x) |\n", N, BLOCK, local, column, same,
         same_column, same / same_column, own, own_column, own / own_column);
}

int main() {
  float *in, *out;
  cudaMalloc(&in, kThreads * sizeof(float));
  cudaMalloc(&out, kThreads * sizeof(float));
  cudaMemset(in, 0, kThreads * sizeof(float));
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  printf("%s, CUDA %d\n", device.name, CUDART_VERSION);
  printf("| floats | threads a block | warps an SM | the same index, ms | an index of each thread, ms |\n");
  row<17, 256>(in, out);
  row<32, 128>(in, out);
  row<50, 128>(in, out);
  row<64, 64>(in, out);
  row<100, 64>(in, out);
  row<200, 64>(in, out);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) printf("error: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
