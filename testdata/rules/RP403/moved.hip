// targets: gfx90a, gfx1100
#include <hip/hip_runtime.h>

// A small array that is moved to LDS, where that costs no wave.
__global__ void __launch_bounds__(256) moved(const int* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[2][2] = {};  // expect: RP403 hint "16 x 256 bytes of LDS"
  int q = a[i];
  for (int j = 0; j < m; ++j) {
    v[q & 1][(q >> 1) & 1] += 1.0f;
    q = q * 5 + 3;
  }
  b[i] = v[0][0] + v[1][1];
}

void run(const int* a, float* b, int m, int n) { moved<<<n / 256, 256>>>(a, b, m); }
