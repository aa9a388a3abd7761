// Sines and cosines that one call cannot replace.
#include <cuda_runtime.h>

struct Wave {
  __device__ float sin(float x) const { return x; }
};

__global__ void apart(const float* a, volatile float* v, float* out, Wave wave, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float p = a[i], q = a[i + n];
  out[0 * n + i] = cosf(p) * sinf(p * q);
  out[1 * n + i] = i & 1 ? cosf(p + q) : sinf(p + q);
  if (i > 7)
    out[2 * n + i] = cosf(p - q);
  else
    out[2 * n + i] = sinf(p - q);
  out[3 * n + i] = cosf(v[i]) * sinf(v[i]);
  out[4 * n + i] = __cosf(p * q) * __sinf(p * q);
  out[5 * n + i] = cosf(0.5f) * sinf(0.5f);
  float r = p * 3.0f;
  out[6 * n + i] = cosf(r);
  r += 1.0f;
  out[7 * n + i] = sinf(r);
  out[8 * n + i] = cosf(a[i]);
  out[9 * n + i] = sinf(a[i]);
  out[10 * n + i] = wave.sin(q + 1.0f) * cosf(q + 1.0f);
  float d = p * 5.0f;
  out[11 * n + i] = cosf(d);
  if (d > 1.0f) return;
  out[12 * n + i] = sinf(d);
}

// Functions of somebody's own, by the same names; their header is not in view.
__global__ void others(const float* a, float* out) {
  float p = a[threadIdx.x];
  out[threadIdx.x] = fast::sinf(p) * fast::cosf(p);
}
