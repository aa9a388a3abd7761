// Pointers that are swapped: clang 19 keeps the arrays where no iteration hands a pointer to the next.
#include <hip/hip_runtime.h>

__global__ void made_anew(const float* a, float* out, int n) {
  float x[6], y[6];
  for (int k = 0; k < n; ++k) {
    float *p = x, *q = y;
    for (int i = 0; i < 6; ++i) {
      x[i] = a[k + i];
      y[i] = a[i + 6];
    }
    if (k & 1) {
      float* t = p;
      p = q;
      q = t;
    }
    out[k] = p[0] + q[1] + p[5];
  }
}

__global__ void handed_over(const float* a, float* out, int n) {
  float x[6], y[6];  // expect: RP409 @9 "swaps with another"
  float *p = x, *q = y;
  for (int i = 0; i < 6; ++i) {
    x[i] = a[i];
    y[i] = a[i + 6];
  }
  for (int k = 0; k < n; ++k) {
    out[k] = p[0] + p[1] + p[2] + p[3] + p[4] + p[5];
    float* t = p;
    p = q;
    q = t;
  }
}

__global__ void halves(const float* a, float* out, int n) {
  float x[6];  // expect: RP409 @9 "swaps with another"
  for (int i = 0; i < 6; ++i) x[i] = a[i];
  float *p = x, *q = x + 3;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 3; ++i) q[i] = p[i] * 0.5f + out[k];
    float* t = p;
    p = q;
    q = t;
  }
  out[0] = p[0] + p[1] + p[2];
}

__global__ void walked(const float* a, float* out, int n) {
  float x[12];  // expect: RP409 @9 "moves on"
  for (int i = 0; i < 12; ++i) x[i] = a[i];
  float* p = x;
  for (int i = 0; i < n; ++i) {
    *p *= 2;
    p++;
  }
  for (int i = 0; i < 12; ++i) out[i] = x[i];
}

// Copies of a loop with constant ends make constants of the places.
__global__ void ended(const float* a, float* out) {
  float x[20];
  for (int i = 0; i < 20; ++i) x[i] = a[i];
  float sum = 0;
  const float* p = x;
  while (p < x + 20) {
    sum += *p;
    ++p;
  }
  out[0] = sum;
}

__global__ void begun_anew(const float* a, float* out, int n) {
  float x[20];
  for (int i = 0; i < 20; ++i) x[i] = a[i];
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const float* p = x;
    for (int i = 0; i < 20; ++i) sum += *p++ * a[k + i];
  }
  out[0] = sum;
}
