// ptxas keeps a copy in local memory that a loop reads at a run-time index, and a large one in registers.
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

__global__ void forward(const Cell* cells, Cell* moved, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];  // expect: RP408 info @8 "stored elsewhere"
  cell.flags = n;
  moved[i] = cell;
}
