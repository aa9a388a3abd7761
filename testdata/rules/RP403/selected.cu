// A few values of which a thread picks one at run time: choosing among them takes no memory.
#include <cuda_runtime.h>

__global__ void phase(double2* amps, const int* ctrls, int bits, long long mask, double2 even, double2 odd) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  for (int c = 0; c < bits; ++c) i = i >> ctrls[c] << (ctrls[c] + 1) | (i & ((1ll << ctrls[c]) - 1));
  int p = __popcll(i & mask) & 1;
  double2 facs[] = {even, odd};  // expect: RP403 warning "private array `facs` of 2 x double2"
  amps[i].x *= facs[p].x;
  amps[i].y *= facs[p].y;
}

__global__ void picked(const double* x, double* out, const int* index, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  double v[5];  // expect: RP403 warning "5 x double (40 bytes per thread)"
  for (int j = 0; j < 5; ++j) v[j] = x[i + j * n] * x[i];
  double s = 0;
  for (int m = 0; m < n; ++m) s += v[index[m * n + i]];
  out[i] = s;
}

void run(double2* a, const int* c, double* o, const double* x, int n) {
  phase<<<n, 256>>>(a, c, 3, 5, a[0], a[1]);
  picked<<<n, 256>>>(x, o, c, n);
}
