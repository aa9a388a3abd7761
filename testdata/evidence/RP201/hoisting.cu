// targets: gfx90a, gfx1100, sm_90
__device__ double pick(const double* t, int n) { return n < 0 ? 0.0 : n == 0 ? 1.0 : t[2 * n - 1] / t[n + 300]; }

// Two loops behind each other, a power in the second and divisions in the first, which runs 63 times as often. With the
// power nvcc works out the subscripts of the first loop in it; without, in front of it, in registers of their own.
// time: hoisted threads=524288
__global__ void hoisted_smell(const double* t, const double* c, double* out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, i = at % 64;
  double s = 0.0;
  for (int j = 1; j < 64; ++j)
    for (int k = 1; k < 64; ++k)
      if (abs(j - k) <= i)
        s += pick(t, i - k + j) * pick(t, i + k - j) * pick(t, j - i + k) * pick(t, i + j + k) * pick(t, 2 * i + j - k) /
             pick(t, i + 2 * j - k) * c[j] * c[k];
  double q = 0.0;
  for (int j = 1; j < 64; ++j) q += pow(c[j], 2.0);
  out[at] = s * t[i] + q * c[i];
}

__global__ void hoisted_repaired(const double* t, const double* c, double* out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, i = at % 64;
  double s = 0.0;
  for (int j = 1; j < 64; ++j)
    for (int k = 1; k < 64; ++k)
      if (abs(j - k) <= i)
        s += pick(t, i - k + j) * pick(t, i + k - j) * pick(t, j - i + k) * pick(t, i + j + k) * pick(t, 2 * i + j - k) /
             pick(t, i + 2 * j - k) * c[j] * c[k];
  double q = 0.0;
  for (int j = 1; j < 64; ++j) q += c[j] * c[j];
  out[at] = s * t[i] + q * c[i];
}

// The same beside one division.
// time: beside_one threads=524288
__global__ void beside_one_smell(const double* t, const double* c, double* out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, i = at % 64;
  double s = 0.0;
  for (int j = 1; j < 64; ++j)
    for (int k = 1; k < 64; ++k)
      if (abs(j - k) <= i) s += t[i + j + k] / c[k];
  double q = 0.0;
  for (int j = 1; j < 64; ++j) q += pow(c[j], 2.0);
  out[at] = s * t[i] + q * c[i];
}

__global__ void beside_one_repaired(const double* t, const double* c, double* out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, i = at % 64;
  double s = 0.0;
  for (int j = 1; j < 64; ++j)
    for (int k = 1; k < 64; ++k)
      if (abs(j - k) <= i) s += t[i + j + k] / c[k];
  double q = 0.0;
  for (int j = 1; j < 64; ++j) q += c[j] * c[j];
  out[at] = s * t[i] + q * c[i];
}

// The same beside two.
// time: beside_two threads=524288
__global__ void beside_two_smell(const double* t, const double* c, double* out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, i = at % 64;
  double s = 0.0;
  for (int j = 1; j < 64; ++j)
    for (int k = 1; k < 64; ++k)
      if (abs(j - k) <= i) s += t[i + j + k] / c[k] + c[j] / t[2 * i + j + k];
  double q = 0.0;
  for (int j = 1; j < 64; ++j) q += pow(c[j], 2.0);
  out[at] = s * t[i] + q * c[i];
}

__global__ void beside_two_repaired(const double* t, const double* c, double* out) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, i = at % 64;
  double s = 0.0;
  for (int j = 1; j < 64; ++j)
    for (int k = 1; k < 64; ++k)
      if (abs(j - k) <= i) s += t[i + j + k] / c[k] + c[j] / t[2 * i + j + k];
  double q = 0.0;
  for (int j = 1; j < 64; ++j) q += c[j] * c[j];
  out[at] = s * t[i] + q * c[i];
}
