// Functions whose loops are bounded by their template's arguments, of which a kernel comes by one branch: what the other
// branch does with an array is nothing that this kernel does. A row that is handed on is read where it is handed.
// Compiled for sm_90: no frame.
// targets: sm_90
#include <cuda_runtime.h>

template <int ROWS, bool SQUARES>
__device__ __forceinline__ void gather(float part[][8], const float* in, int n) {
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    if constexpr (SQUARES) {
#pragma unroll
      for (int k = 0; k < 8; ++k) part[r][k] += in[k * n + r] * in[k * n + r];
    } else {
#pragma unroll
      for (int k = 0; k < 8; ++k) part[r][k] = in[k * n + r];
    }
  }
}

__device__ __forceinline__ void add(float* row, float x) {
  row[0] += x;
  row[1] *= x;
}

template <int ROWS>
__device__ __forceinline__ void keep(float part[][8], float sums[][2]) {
#pragma unroll
  for (int r = 0; r < ROWS; ++r)
#pragma unroll
    for (int k = 0; k < 8; ++k) add(sums[r], part[r][k]);
}

template <int ROWS>
__device__ __forceinline__ void scale(float part[][8], float x) {
#pragma unroll
  for (int r = 0; r < ROWS; ++r)
#pragma unroll
    for (int k = 0; k < 8; ++k) part[r][k] *= x;
}

enum class Unit { kCores, kTensors };
__device__ constexpr int width_of(Unit unit) { return unit == Unit::kTensors ? 1 : 2; }

template <int ROWS, bool SQUARES, Unit UNIT>
__global__ void __launch_bounds__(128) tiles(const float* in, float* out, float* one, int n, int rounds) {
  float part[ROWS][8];
  float sums[ROWS][2];
  float first[ROWS][8];
#pragma unroll
  for (int r = 0; r < ROWS; ++r) sums[r][0] = sums[r][1] = 1.0f;
  if constexpr (!SQUARES)
    for (int r = 0; r < ROWS; ++r)
      for (int k = 0; k < 8; ++k) first[r][k] = in[(8 * r + k) * n + threadIdx.x];
  for (int i = 0; i < rounds; ++i) {
    gather<ROWS, SQUARES>(part, in + i * n + threadIdx.x, n);
    scale<ROWS>(part, in[i]);
    if constexpr (width_of(UNIT) == 1) scale<ROWS>(first, in[i]);
    keep<ROWS>(part, sums);
  }
#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    float t = sums[r][0] + sums[r][1];
#pragma unroll
    for (int k = 0; k < 8; ++k) t += first[r][k] * t;
    out[r * n + threadIdx.x] = t;
  }
  int lane = threadIdx.x % 32;
  if (lane < 2 * ROWS) one[threadIdx.x] = sums[(lane % 4) / 2][lane % 2];
}

void run(const float* in, float* out, float* one, int n) { tiles<2, false, Unit::kCores><<<n / 128, 128>>>(in, out, one, n, 8); }
