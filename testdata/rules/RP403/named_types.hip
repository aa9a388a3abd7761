// targets: gfx90a, gfx1100
// A name for an array means what is spelled out, at file level, as a member and in a function.
#include <hip/hip_runtime.h>

#define LANES 32
typedef float row[LANES];
using values = float[LANES];
struct Cell { row weights; int id; };

__global__ void __launch_bounds__(256) by_typedef(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  row h = {};  // expect: RP403 warning @7 "private array `h` of 32 x float (128 bytes per thread)"
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1.0f;
  for (int k = 0; k < LANES; ++k) b[k * n + i] = h[k];
}

__global__ void __launch_bounds__(256) by_using(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values h = {};  // expect: RP403 warning @10 "private array `h` of 32 x float (128 bytes per thread)"
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1.0f;
  for (int k = 0; k < LANES; ++k) b[k * n + i] = h[k];
}

__global__ void __launch_bounds__(256) member(const int* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Cell c = {};  // expect: RP403 warning @8 "private `c` (Cell, 132 bytes per thread)"
  for (int j = 0; j < m; ++j) c.weights[a[j * n + i] & 31] += 1.0f;
  for (int k = 0; k < LANES; ++k) b[k * n + i] = c.weights[k];
}

__global__ void __launch_bounds__(256) in_the_function(const int* a, float* b, int m, int n) {
  typedef float mine[LANES];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  mine h = {};  // expect: RP403 warning @8 "private array `h` of 32 x float (128 bytes per thread)"
  for (int j = 0; j < m; ++j) h[a[j * n + i] & 31] += 1.0f;
  for (int k = 0; k < LANES; ++k) b[k * n + i] = h[k];
}
