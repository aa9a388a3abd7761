// ptxas keeps a copy in local memory that a loop reads at a run-time index.
#include <cuda_runtime.h>

struct Cell {
  float f[40];
  int flags;
};

__global__ void sample(const Cell* cells, const int* dir, float* out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];  // expect: RP408 warning @8 "(Cell, 164 bytes)"
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += cell.f[dir[k * n + i]];
  out[i] = s;
}

__global__ void once(const Cell* cells, const int* dir, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];  // expect: RP408 info @8 "goes to registers as a whole, and selects pick one element"
  out[i] = cell.f[dir[i]];
}
