// Places of threads under the names that programs give them: old macros of HIP, macros and functions of their own, references.
#include "common.h"

#ifndef hipThreadIdx_x
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipGridDim_x gridDim.x
#endif

__global__ void old_names_axpy(const float* x, float* y, float a, int n) {
  const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void old_names_rows(const float* in, float* out, int width, int height) {
  const int x = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  const int y = hipBlockIdx_y * hipBlockDim_y + hipThreadIdx_y;
  if (x >= width || y >= height) return;
  float sum[8];
  for (int k = 0; k < 8; k++) sum[k] = 0.0f;
  for (int row = 0; row < height; row++) {
    const float v = in[row * width + x];
    for (int k = 0; k < 8; k++) sum[k] += v * in[(y + k) * width + row];
  }
  for (int k = 0; k < 8; k++) out[(y * 8 + k) * width + x] = sum[k];
}

__global__ void old_names_cosines(const float* in, float* out, int stride) {
  const int at = (hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x) * 8;
  float d[8];
  for (int k = 0; k < 8; k++) d[k] = in[at + k * stride];
  const float a0 = d[0] + d[7], a7 = d[0] - d[7], a1 = d[1] + d[6], a6 = d[1] - d[6];
  const float a2 = d[2] + d[5], a5 = d[2] - d[5], a3 = d[3] + d[4], a4 = d[3] - d[4];
  const float b0 = a0 + a3, b3 = a0 - a3, b1 = a1 + a2, b2 = a1 - a2;
  out[at] = 0.353f * (b0 + b1);
  out[at + 4 * stride] = 0.353f * (b0 - b1);
  out[at + 2 * stride] = 0.461f * b3 + 0.191f * b2;
  out[at + 6 * stride] = 0.191f * b3 - 0.461f * b2;
  out[at + stride] = 0.490f * a7 + 0.415f * a6 + 0.277f * a5 + 0.097f * a4;
  out[at + 3 * stride] = 0.415f * a7 - 0.097f * a6 - 0.490f * a5 - 0.277f * a4;
  out[at + 5 * stride] = 0.277f * a7 - 0.490f * a6 + 0.097f * a5 + 0.415f * a4;
  out[at + 7 * stride] = 0.097f * a7 - 0.277f * a6 + 0.415f * a5 - 0.490f * a4;
}

__global__ void old_names_stride(const double* in, double* out, int n) {
  double sum = 0.0;
  for (int i = hipThreadIdx_x + hipBlockIdx_x * hipBlockDim_x; i < n; i += hipBlockDim_x * hipGridDim_x) sum += in[i] * in[i];
  out[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x] = sum;
}

#define THREAD_X ((int)threadIdx.x)
#define BLOCK_X ((int)blockIdx.x)
#define GLOBAL_INDEX (BLOCK_X * (int)blockDim.x + THREAD_X)
#define EACH_INDEX(i, n) for (int i = GLOBAL_INDEX; i < (n); i += blockDim.x * gridDim.x)

__global__ void own_macros(const float* x, const float* y, float* out, int n) {
  EACH_INDEX(i, n) { out[i] = x[i] * y[i] + x[n - 1 - i]; }
}

__device__ __forceinline__ int global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ int lane_index() { return threadIdx.x & 31; }

__global__ void own_functions(const float* x, const float* w, float* out, int n) {
  const int i = global_index(), lane = lane_index();
  if (i < n) out[i] = x[i] * w[lane] + x[i ^ 1] * w[31 - lane];
}

__global__ void references(const float* x, float* out, int n) {
  const auto& tid = threadIdx.x;
  const auto& bid = blockIdx.x;
  const dim3 dims = blockDim;
  const int i = bid * dims.x + tid;
  if (i < n) out[i] = x[i] + x[n - 1 - i];
}

__global__ void whole_index(const float* x, float* out, int width, int height) {
  const dim3 t = threadIdx, b = blockIdx;
  const int col = b.x * 16 + t.x, row = b.y * 16 + t.y;
  if (col < width && row < height) out[row * width + col] = x[row * width + col] * x[col * height + row];
}

struct Position {
  int x, y, z;
};
__device__ Position position() {
  return {(int)(blockIdx.x * blockDim.x + threadIdx.x), (int)(blockIdx.y * blockDim.y + threadIdx.y), (int)blockIdx.z};
}

__global__ void from_struct(const float* in, float* out, int nx, int ny, int nz) {
  const Position p = position();
  if (p.x < 1 || p.y < 1 || p.z < 1 || p.x >= nx - 1 || p.y >= ny - 1 || p.z >= nz - 1) return;
  const int at = (p.z * ny + p.y) * nx + p.x;
  out[at] = in[at] * 6.0f - in[at - 1] - in[at + 1] - in[at - nx] - in[at + nx] - in[at - nx * ny] - in[at + nx * ny];
}
