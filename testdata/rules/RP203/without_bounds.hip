// Kernels above the cap that clang assumes without launch bounds: with the bounds there is room for the routine.
#include <hip/hip_runtime.h>

__global__ void undeclared(const double* a, double* b, double p, int m, int n) {  // expect: RP101 warning
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[48];
#pragma unroll
  for (int k = 0; k < 48; ++k) s[k] = a[i + k * n];
  for (int j = 0; j < m; ++j) {
    double y = pow(a[j], p);  // expect: RP203 info @16 "FP64 `pow`" "160 -> 122 VGPRs on gfx90a"
#pragma unroll
    for (int k = 0; k < 48; ++k) s[k] += y * s[(k + 1) % 48];
  }
  double t = 0.0;
#pragma unroll
  for (int k = 0; k < 48; ++k) t += s[k];
  b[i] = t;
}

__global__ void __launch_bounds__(1024) declared(const double* a, double* b, double p, int m, int n) {  // expect: RP104 info
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s[48];  // expect: RP402 warning "and a thread has 128 on gfx90a"
#pragma unroll
  for (int k = 0; k < 48; ++k) s[k] = a[i + k * n];
  for (int j = 0; j < m; ++j) {
    double y = pow(a[j], p);  // expect: RP203 warning @16 "FP64 `pow`" "128 -> 0 bytes of private memory"
#pragma unroll
    for (int k = 0; k < 48; ++k) s[k] += y * s[(k + 1) % 48];
  }
  double t = 0.0;
#pragma unroll
  for (int k = 0; k < 48; ++k) t += s[k];
  b[i] = t;
}

void run(const double* a, double* b, double p, int m, int n) {
  undeclared<<<n / 256, 256>>>(a, b, p, m, n);
  declared<<<n / 1024, 1024>>>(a, b, p, m, n);
}
