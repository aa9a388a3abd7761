// Arrays that are members of a struct in memory, and names for arrays.
//
// NVIDIA adds a member's offset in the access, so that all members share one address; on AMD and Intel each member that
// a loop goes to again and again has an address of its own.
#include "common.h"

typedef unsigned column[4096];
typedef float row[12];
typedef float matrix[3][3];

struct Columns2 {
  column f0, f1;
};

__global__ void columns_2(Columns2 *d, const Columns2 *s, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  for (unsigned i = 0; i < n; i++) {
    d->f0[t] += s->f0[t];
    d->f1[t] += s->f1[t];
  }
}

struct Columns4 {
  column f0, f1, f2, f3;
};

__global__ void columns_4(Columns4 *d, const Columns4 *s, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  for (unsigned i = 0; i < n; i++) {
    d->f0[t] += s->f0[t];
    d->f1[t] += s->f1[t];
    d->f2[t] += s->f2[t];
    d->f3[t] += s->f3[t];
  }
}

struct Columns8 {
  column f0, f1, f2, f3, f4, f5, f6, f7;
};

__global__ void columns_8(Columns8 *d, const Columns8 *s, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  for (unsigned i = 0; i < n; i++) {
    d->f0[t] += s->f0[t];
    d->f1[t] += s->f1[t];
    d->f2[t] += s->f2[t];
    d->f3[t] += s->f3[t];
    d->f4[t] += s->f4[t];
    d->f5[t] += s->f5[t];
    d->f6[t] += s->f6[t];
    d->f7[t] += s->f7[t];
  }
}

struct Columns12 {
  column f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11;
};

__global__ void columns_12(Columns12 *d, const Columns12 *s, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  for (unsigned i = 0; i < n; i++) {
    d->f0[t] += s->f0[t];
    d->f1[t] += s->f1[t];
    d->f2[t] += s->f2[t];
    d->f3[t] += s->f3[t];
    d->f4[t] += s->f4[t];
    d->f5[t] += s->f5[t];
    d->f6[t] += s->f6[t];
    d->f7[t] += s->f7[t];
    d->f8[t] += s->f8[t];
    d->f9[t] += s->f9[t];
    d->f10[t] += s->f10[t];
    d->f11[t] += s->f11[t];
  }
}

struct Columns16 {
  column f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15;
};

__global__ void columns_16(Columns16 *d, const Columns16 *s, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  for (unsigned i = 0; i < n; i++) {
    d->f0[t] += s->f0[t];
    d->f1[t] += s->f1[t];
    d->f2[t] += s->f2[t];
    d->f3[t] += s->f3[t];
    d->f4[t] += s->f4[t];
    d->f5[t] += s->f5[t];
    d->f6[t] += s->f6[t];
    d->f7[t] += s->f7[t];
    d->f8[t] += s->f8[t];
    d->f9[t] += s->f9[t];
    d->f10[t] += s->f10[t];
    d->f11[t] += s->f11[t];
    d->f12[t] += s->f12[t];
    d->f13[t] += s->f13[t];
    d->f14[t] += s->f14[t];
    d->f15[t] += s->f15[t];
  }
}

// Read once: nothing is held.
__global__ void columns_once(Columns8 *d, const Columns8 *s, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  d->f0[t] = s->f0[t] + s->f1[t] + s->f2[t] + s->f3[t] + s->f4[t] + s->f5[t] + s->f6[t] + s->f7[t];
}

__global__ void row_by_constants(const float *in, float *out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  row r;
  for (int i = 0; i < 12; ++i) r[i] = in[i * n + t];
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 12; ++i) r[i] = r[i] * r[(i + 1) % 12] + in[k];
  for (int i = 0; i < 12; ++i) out[i * n + t] = r[i];
}

__global__ void row_by_data(const float *in, const int *at, float *out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  row r = {};
  for (int k = 0; k < n; ++k) r[at[k * n + t] % 12] += in[k];
  for (int i = 0; i < 12; ++i) out[i * n + t] = r[i];
}

__device__ void product(matrix c, const matrix a, const matrix b) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

__global__ void matrices(const matrix *a, const matrix *b, matrix *out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  matrix m = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < n; ++k) {
    matrix p, q;
    product(p, a[t + k], b[t + k]);
    product(q, m, p);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] = q[i][j];
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[t][i][j] = m[i][j];
}
