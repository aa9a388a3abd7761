// Groups that something brings together, loops that cannot be split, loops that are copied.
// targets: sm_90
#include <cuda_runtime.h>

// One takes from the other.
__global__ void taken(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  double t[16];
  for (int k = 0; k < 16; ++k) t[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = p[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
    double y = q[j * n + i];
    for (int k = 0; k < 16; ++k) t[k] = t[k] * y + t[(k + 1) % 16] + s[k];
  }
  double u = 0.0;
  for (int k = 0; k < 16; ++k) u += s[k];
  b[i] = u;
  double v = 0.0;
  for (int k = 0; k < 16; ++k) v += t[k];
  b[n + i] = v;
}

// By way of another variable.
__global__ void between(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  double t[16];
  for (int k = 0; k < 16; ++k) t[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = p[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
    double y = q[j * n + i] + s[0];
    for (int k = 0; k < 16; ++k) t[k] = t[k] * y + t[(k + 1) % 16] + y;
  }
  double u = 0.0;
  for (int k = 0; k < 16; ++k) u += s[k];
  b[i] = u;
  double v = 0.0;
  for (int k = 0; k < 16; ++k) v += t[k];
  b[n + i] = v;
}

// It writes memory in the order of its iterations.
__global__ void writes(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  double t[16];
  for (int k = 0; k < 16; ++k) t[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = p[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
    double y = q[j * n + i];
    b[j * n + i] = x;
    for (int k = 0; k < 16; ++k) t[k] = t[k] * y + t[(k + 1) % 16] + y;
  }
  double u = 0.0;
  for (int k = 0; k < 16; ++k) u += s[k];
  b[i] = u;
  double v = 0.0;
  for (int k = 0; k < 16; ++k) v += t[k];
  b[n + i] = v;
}

// The threads meet.
__global__ void meets(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  double t[16];
  for (int k = 0; k < 16; ++k) t[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = p[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
    double y = q[j * n + i];
    __syncthreads();
    for (int k = 0; k < 16; ++k) t[k] = t[k] * y + t[(k + 1) % 16] + y;
  }
  double u = 0.0;
  for (int k = 0; k < 16; ++k) u += s[k];
  b[i] = u;
  double v = 0.0;
  for (int k = 0; k < 16; ++k) v += t[k];
  b[n + i] = v;
}

// One group decides when it ends.
__global__ void decides(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  double t[16];
  for (int k = 0; k < 16; ++k) t[k] = 0.0;
  for (int j = 0; s[0] < 100.0; ++j) {
    double x = p[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
    double y = q[j * n + i];
    for (int k = 0; k < 16; ++k) t[k] = t[k] * y + t[(k + 1) % 16] + y;
  }
  double u = 0.0;
  for (int k = 0; k < 16; ++k) u += s[k];
  b[i] = u;
  double v = 0.0;
  for (int k = 0; k < 16; ++k) v += t[k];
  b[n + i] = v;
}

// Left early.
__global__ void early(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  double t[16];
  for (int k = 0; k < 16; ++k) t[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = p[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
    double y = q[j * n + i];
    if (y < 0.0) break;
    for (int k = 0; k < 16; ++k) t[k] = t[k] * y + t[(k + 1) % 16] + y;
  }
  double u = 0.0;
  for (int k = 0; k < 16; ++k) u += s[k];
  b[i] = u;
  double v = 0.0;
  for (int k = 0; k < 16; ++k) v += t[k];
  b[n + i] = v;
}

// Copied: four iterations.
__global__ void copied(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[16];
  for (int k = 0; k < 16; ++k) s[k] = 0.0;
  double t[16];
  for (int k = 0; k < 16; ++k) t[k] = 0.0;
  for (int j = 0; j < 4; ++j) {
    double x = p[j * n + i];
    for (int k = 0; k < 16; ++k) s[k] = s[k] * x + s[(k + 1) % 16] + x;
    double y = q[j * n + i];
    for (int k = 0; k < 16; ++k) t[k] = t[k] * y + t[(k + 1) % 16] + y;
  }
  double u = 0.0;
  for (int k = 0; k < 16; ++k) u += s[k];
  b[i] = u;
  double v = 0.0;
  for (int k = 0; k < 16; ++k) v += t[k];
  b[n + i] = v;
}

// Six registers.
__global__ void small(const double* p, const double* q, double* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[3];
  for (int k = 0; k < 3; ++k) s[k] = 0.0;
  double t[3];
  for (int k = 0; k < 3; ++k) t[k] = 0.0;
  for (int j = 0; j < m; ++j) {
    double x = p[j * n + i];
    for (int k = 0; k < 3; ++k) s[k] = s[k] * x + s[(k + 1) % 3] + x;
    double y = q[j * n + i];
    for (int k = 0; k < 3; ++k) t[k] = t[k] * y + t[(k + 1) % 3] + y;
  }
  double u = 0.0;
  for (int k = 0; k < 3; ++k) u += s[k];
  b[i] = u;
  double v = 0.0;
  for (int k = 0; k < 3; ++k) v += t[k];
  b[n + i] = v;
}
