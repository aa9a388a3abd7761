// Structs that are copied from memory as a whole: read at a run-time index, or stored to another array.
#include <hip/hip_runtime.h>

struct Cell {
  float f[19];
  int flags;
};

__global__ void sample(const Cell* cells, const int* dir, float* out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];  // expect: RP408 warning @8 "`cell` (Cell, 80 bytes)" "`cell.f[dir[k * n + i]]`" "private memory"
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += cell.f[dir[k * n + i]];
  out[i] = s;
}

__global__ void forward(const Cell* cells, Cell* moved, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];  // expect: RP408 info @8 "stored elsewhere with few members touched"
  cell.f[3] += 1.0f;
  cell.flags = n;
  moved[i] = cell;
}

__device__ float pick(const Cell* cells, int i, int k) {
  Cell cell = cells[i];  // expect: RP408 warning @8 "`cell.f[k]`"
  return cell.f[k] * cell.flags;
}

__global__ void callee(const Cell* cells, const int* dir, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = pick(cells, i, dir[i]);
}
