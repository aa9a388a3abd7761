// Pair energies over a neighbour list, with a square and a cube taken by pow().
// launch: block=256 dynamic_lds=0
#include <cuda_runtime.h>

constexpr double kExponent = 3.0;

__global__ __launch_bounds__(256) void pair_energy(const double* x, const double* y, const double* z,
                                                   const int* list, double* out, double sigma_sq, double core,
                                                   double depth, int neighbours, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double energy = 0.0;
  for (int k = 0; k < neighbours; ++k) {
    const int j = list[k * n + i];
    const double dx = x[j] - x[i];
    const double dy = y[j] - y[i];
    const double dz = z[j] - z[i];
    const double distance_sq = dx * dx + dy * dy + dz * dz;
    const double softened = distance_sq + core;
    const double soft_sq = pow(softened, 2.0);  // expect: RP201 @28 "pow(softened, 2.0)"
    const double ratio = sigma_sq * softened / soft_sq;
    const double repulsion = pow(ratio, kExponent);  // expect: RP201 @30 "pow(ratio,"
    energy += depth * (repulsion * repulsion - repulsion);
  }
  out[i] = energy;
}

void energies(const double* x, const double* y, const double* z, const int* list, double* out, double sigma_sq,
              double core, double depth, int neighbours, int n, cudaStream_t stream) {
  pair_energy<<<(n + 255) / 256, 256, 0, stream>>>(x, y, z, list, out, sigma_sq, core, depth, neighbours, n);
}
