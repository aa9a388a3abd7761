// What a store or a barrier may change, what is needed early, what is made of as much, too few, and where it is needed.
#include <cuda_runtime.h>

__global__ void __launch_bounds__(256) stored_between(const double* w, const double* a, double* b, int m, int n, int t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double e0 = w[0 * n + i];
  const double e1 = w[1 * n + i];
  const double e2 = w[2 * n + i];
  const double e3 = w[3 * n + i];
  const double e4 = w[4 * n + i];
  const double e5 = w[5 * n + i];
  const double e6 = w[6 * n + i];
  const double e7 = w[7 * n + i];
  const double e8 = w[8 * n + i];
  const double e9 = w[9 * n + i];
  const double e10 = w[10 * n + i];
  const double e11 = w[11 * n + i];
  double s[20];
  for (int k = 0; k < 20; ++k) s[k] = a[k * n + i];
  if (t > 0) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 1) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 2) % 20] - 0.5;
  }
  b[2 * n + i] = s[0];
  if (t > 1) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 2) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 3) % 20] - 1.5;
  }
  if (t > 2) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 3) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 4) % 20] - 2.5;
  }
  double r = 0.0;
  for (int k = 0; k < 20; ++k) r += s[k];
  r += e0 * r;
  r += e1 * r;
  r += e2 * r;
  r += e3 * r;
  r += e4 * r;
  r += e5 * r;
  r += e6 * r;
  r += e7 * r;
  r += e8 * r;
  r += e9 * r;
  r += e10 * r;
  r += e11 * r;
  b[i] = r;
}

__global__ void __launch_bounds__(256) barrier_between(const double* w, const double* a, double* b, int m, int n, int t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double e0 = w[0 * n + i];
  const double e1 = w[1 * n + i];
  const double e2 = w[2 * n + i];
  const double e3 = w[3 * n + i];
  const double e4 = w[4 * n + i];
  const double e5 = w[5 * n + i];
  const double e6 = w[6 * n + i];
  const double e7 = w[7 * n + i];
  const double e8 = w[8 * n + i];
  const double e9 = w[9 * n + i];
  const double e10 = w[10 * n + i];
  const double e11 = w[11 * n + i];
  double s[20];
  for (int k = 0; k < 20; ++k) s[k] = a[k * n + i];
  if (t > 0) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 1) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 2) % 20] - 0.5;
  }
  __syncthreads();
  if (t > 1) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 2) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 3) % 20] - 1.5;
  }
  if (t > 2) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 3) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 4) % 20] - 2.5;
  }
  double r = 0.0;
  for (int k = 0; k < 20; ++k) r += s[k];
  r += e0 * r;
  r += e1 * r;
  r += e2 * r;
  r += e3 * r;
  r += e4 * r;
  r += e5 * r;
  r += e6 * r;
  r += e7 * r;
  r += e8 * r;
  r += e9 * r;
  r += e10 * r;
  r += e11 * r;
  b[i] = r;
}

__global__ void __launch_bounds__(256) needed_before(const double* w, const double* a, double* b, int m, int n, int t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double e0 = w[0 * n + i];
  const double e1 = w[1 * n + i];
  const double e2 = w[2 * n + i];
  const double e3 = w[3 * n + i];
  const double e4 = w[4 * n + i];
  const double e5 = w[5 * n + i];
  const double e6 = w[6 * n + i];
  const double e7 = w[7 * n + i];
  const double e8 = w[8 * n + i];
  const double e9 = w[9 * n + i];
  const double e10 = w[10 * n + i];
  const double e11 = w[11 * n + i];
  b[n + i] = e0 + e1 + e2 + e3 + e4 + e5 + e6 + e7 + e8 + e9 + e10 + e11;
  double s[20];
  for (int k = 0; k < 20; ++k) s[k] = a[k * n + i];
  if (t > 0) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 1) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 2) % 20] - 0.5;
  }
  if (t > 1) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 2) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 3) % 20] - 1.5;
  }
  if (t > 2) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 3) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 4) % 20] - 2.5;
  }
  double r = 0.0;
  for (int k = 0; k < 20; ++k) r += s[k];
  r += e0 * r;
  r += e1 * r;
  r += e2 * r;
  r += e3 * r;
  r += e4 * r;
  r += e5 * r;
  r += e6 * r;
  r += e7 * r;
  r += e8 * r;
  r += e9 * r;
  r += e10 * r;
  r += e11 * r;
  b[i] = r;
}

__global__ void __launch_bounds__(256) operands_end(const double* w, const double* a, double* b, int m, int n, int t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double u0 = w[0 * n + i], u1 = w[1 * n + i], u2 = w[2 * n + i], u3 = w[3 * n + i];
  b[n + i] = u0 - u1 - u2 - u3;
  const double e0 = u0 * u1 + 0.5;
  const double e1 = u1 * u2 + 1.5;
  const double e2 = u2 * u3 + 2.5;
  const double e3 = u3 * u0 + 3.5;
  double s[20];
  for (int k = 0; k < 20; ++k) s[k] = a[k * n + i];
  if (t > 0) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 1) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 2) % 20] - 0.5;
  }
  if (t > 1) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 2) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 3) % 20] - 1.5;
  }
  if (t > 2) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 3) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 4) % 20] - 2.5;
  }
  double r = 0.0;
  for (int k = 0; k < 20; ++k) r += s[k];
  r += e0 * r;
  r += e1 * r;
  r += e2 * r;
  r += e3 * r;
  b[i] = r;
}

__global__ void __launch_bounds__(256) few(const double* w, const double* a, double* b, int m, int n, int t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double e0 = w[0 * n + i];
  const double e1 = w[1 * n + i];
  const double e2 = w[2 * n + i];
  double s[20];
  for (int k = 0; k < 20; ++k) s[k] = a[k * n + i];
  if (t > 0) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 1) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 2) % 20] - 0.5;
  }
  if (t > 1) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 2) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 3) % 20] - 1.5;
  }
  if (t > 2) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 3) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 4) % 20] - 2.5;
  }
  double r = 0.0;
  for (int k = 0; k < 20; ++k) r += s[k];
  r += e0 * r;
  r += e1 * r;
  r += e2 * r;
  b[i] = r;
}

__global__ void __launch_bounds__(256) assigned_twice(const double* w, const double* a, double* b, int m, int n, int t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double e0;
  const double e1 = w[1 * n + i];
  const double e2 = w[2 * n + i];
  e0 = w[i];
  double s[20];
  for (int k = 0; k < 20; ++k) s[k] = a[k * n + i];
  if (t > 0) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 1) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 2) % 20] - 0.5;
  }
  if (t > 1) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 2) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 3) % 20] - 1.5;
  }
  if (t > 2) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 3) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 4) % 20] - 2.5;
  }
  e0 = e0 + s[1];
  b[i] = e0 * e1 * e2;
}

__global__ void __launch_bounds__(256) where_needed(const double* w, const double* a, double* b, int m, int n, int t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[20];
  for (int k = 0; k < 20; ++k) s[k] = a[k * n + i];
  if (t > 0) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 1) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 2) % 20] - 0.5;
  }
  if (t > 1) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 2) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 3) % 20] - 1.5;
  }
  if (t > 2) {
    for (int k = 0; k < 20; ++k) s[k] = s[k] * s[(k + 3) % 20] + s[(k + 3) % 20];
  } else {
    for (int k = 0; k < 20; ++k) s[k] = s[k] / s[(k + 4) % 20] - 2.5;
  }
  const double e0 = w[0 * n + i];
  const double e1 = w[1 * n + i];
  const double e2 = w[2 * n + i];
  const double e3 = w[3 * n + i];
  const double e4 = w[4 * n + i];
  const double e5 = w[5 * n + i];
  const double e6 = w[6 * n + i];
  const double e7 = w[7 * n + i];
  const double e8 = w[8 * n + i];
  const double e9 = w[9 * n + i];
  const double e10 = w[10 * n + i];
  const double e11 = w[11 * n + i];
  double r = 0.0;
  for (int k = 0; k < 20; ++k) r += s[k];
  r += e0 * r;
  r += e1 * r;
  r += e2 * r;
  r += e3 * r;
  r += e4 * r;
  r += e5 * r;
  r += e6 * r;
  r += e7 * r;
  r += e8 * r;
  r += e9 * r;
  r += e10 * r;
  r += e11 * r;
  b[i] = r;
}
