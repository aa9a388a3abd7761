// Element matrices: 16 doubles are loaded before the quadrature loop and first used after it.
// launch: block=256 dynamic_lds=0
#include <cuda_runtime.h>

__global__ __launch_bounds__(256) void element_matrix(const double* __restrict__ mass,
                                                      const double* __restrict__ jacobian,
                                                      const double* __restrict__ basis, double* __restrict__ matrix,
                                                      double step, int points, int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  const double m00 = mass[0 * cells + i];  // expect: RP301 @16 "m00"
  const double m01 = mass[1 * cells + i];
  const double m02 = mass[2 * cells + i];
  const double m03 = mass[3 * cells + i];
  const double m10 = mass[4 * cells + i];
  const double m11 = mass[5 * cells + i];
  const double m12 = mass[6 * cells + i];
  const double m13 = mass[7 * cells + i];
  const double m20 = mass[8 * cells + i];
  const double m21 = mass[9 * cells + i];
  const double m22 = mass[10 * cells + i];
  const double m23 = mass[11 * cells + i];
  const double m30 = mass[12 * cells + i];
  const double m31 = mass[13 * cells + i];
  const double m32 = mass[14 * cells + i];
  const double m33 = mass[15 * cells + i];
  double stiff[16] = {};
  for (int point = 0; point < points; ++point) {
    const double weight = jacobian[point * cells + i];
    double gradient[4];
    for (int a = 0; a < 4; ++a) gradient[a] = basis[(point * 4 + a) * cells + i];
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < 4; ++b) stiff[a * 4 + b] += weight * gradient[a] * gradient[b];
    }
  }
  matrix[0 * cells + i] = m00 + step * stiff[0];
  matrix[1 * cells + i] = m01 + step * stiff[1];
  matrix[2 * cells + i] = m02 + step * stiff[2];
  matrix[3 * cells + i] = m03 + step * stiff[3];
  matrix[4 * cells + i] = m10 + step * stiff[4];
  matrix[5 * cells + i] = m11 + step * stiff[5];
  matrix[6 * cells + i] = m12 + step * stiff[6];
  matrix[7 * cells + i] = m13 + step * stiff[7];
  matrix[8 * cells + i] = m20 + step * stiff[8];
  matrix[9 * cells + i] = m21 + step * stiff[9];
  matrix[10 * cells + i] = m22 + step * stiff[10];
  matrix[11 * cells + i] = m23 + step * stiff[11];
  matrix[12 * cells + i] = m30 + step * stiff[12];
  matrix[13 * cells + i] = m31 + step * stiff[13];
  matrix[14 * cells + i] = m32 + step * stiff[14];
  matrix[15 * cells + i] = m33 + step * stiff[15];
}

void assemble(const double* __restrict__ mass, const double* __restrict__ jacobian, const double* __restrict__ basis,
              double* __restrict__ matrix, double step, int points, int cells, cudaStream_t stream) {
  element_matrix<<<(cells + 255) / 256, 256, 0, stream>>>(mass, jacobian, basis, matrix, step, points, cells);
}
