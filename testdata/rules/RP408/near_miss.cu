// Copies that ptxas keeps in registers: small ones, and any that is stored elsewhere.
#include <cuda_runtime.h>

struct Cell {
  float f[7];
  int flags;
};

__global__ void sample(const Cell* cells, const int* dir, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];
  out[i] = cell.f[dir[i]];
}

__global__ void forward(const Cell* cells, Cell* moved, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell cell = cells[i];
  cell.flags = n;
  moved[i] = cell;
}

struct Large {
  float f[40];
  int flags;
};

__global__ void forward_large(const Large* cells, Large* moved, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Large cell = cells[i];
  cell.flags = n;
  moved[i] = cell;
}
