// Arithmetic is sunk by compilers, shared memory is near, a value used before the loop is no prefetch, and three
// floats are not worth a word.
#include <hip/hip_runtime.h>

__global__ __launch_bounds__(256) void step(const float* a, const float* w, float* out, int steps, int n) {
  __shared__ float tile[256 * 8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; ++k) tile[threadIdx.x * 8 + k] = w[k * n + i];
  __syncthreads();
  const float c0 = i * 0.5f, c1 = c0 * c0, c2 = c1 * c0, c3 = c2 * c1, c4 = c3 - c2, c5 = c4 * c1, c6 = c5 * c5;
  const float t0 = tile[threadIdx.x], t1 = tile[threadIdx.x ^ 1], t2 = tile[threadIdx.x ^ 2], t3 = tile[threadIdx.x ^ 3];
  const float t4 = tile[threadIdx.x ^ 4], t5 = tile[threadIdx.x ^ 5], t6 = tile[threadIdx.x ^ 6];
  const float l0 = w[i], l1 = w[n + i], l2 = w[2 * n + i];
  const double u = a[i];
  out[n + i] = u;
  float s = 0.0f, q = 0.0f;
  for (int k = 0; k < steps; ++k) {
    s += a[k * n + i] * q;
    q = q * s + 1.0f;
  }
  out[i] = s * c0 + c1 + c2 + c3 + c4 + c5 + c6 + t0 + t1 + t2 + t3 + t4 + t5 + t6 + l0 + l1 + l2 + u + q;
}

void run(const float* a, const float* w, float* out, int steps, int n) { step<<<n / 256, 256>>>(a, w, out, steps, n); }
