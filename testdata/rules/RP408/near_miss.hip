// What every compiler repairs: constant indices, a copy that goes back, pointers that never overlap, small structs.
#include <hip/hip_runtime.h>

struct Cell {
  float f[19];
  int flags;
};

struct Pair {
  float x[2];
};

__global__ void parts(const Cell* cells, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];
  float s = 0.0f;
  for (int k = 0; k < 19; ++k) s += cell.f[k];
  out[i] = s * cell.flags;
}

__global__ void back(Cell* cells, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];
  cell.f[3] += 1.0f;
  cell.flags = n;
  cells[i] = cell;
}

__global__ void apart(const Cell* __restrict__ cells, Cell* __restrict__ moved, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];
  cell.flags = n;
  moved[i] = cell;
}

__global__ void all(const Cell* cells, Cell* moved, float c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];
  for (int k = 0; k < 19; ++k) cell.f[k] *= c;
  moved[i] = cell;
}

__global__ void reference(const Cell* cells, const int* dir, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Cell& cell = cells[i];
  out[i] = cell.f[dir[i]];
}

__global__ void small(const Pair* pairs, const int* dir, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Pair pair = pairs[i];
  out[i] = pair.x[dir[i]];
}
