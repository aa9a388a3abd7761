// Counters of which a thread only adds its own to those of all, those that it writes for itself, and few enough for 16 bits.
#include <hip/hip_runtime.h>

__global__ void added(const unsigned char* in, unsigned* out, int n, int m) {
  unsigned bins[64];  // expect: RP403 warning @12 "64 x unsigned"
  for (int i = 0; i < 64; ++i) bins[i] = 0;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < m; ++i) bins[in[t + i * n] & 63]++;
  for (int i = 0; i < 64; ++i) atomicAdd(&out[i], bins[i]);
}

__global__ void kept(const unsigned char* in, unsigned* out, int n, int m) {
  unsigned bins[64];  // expect: RP403 info @12 "64 x unsigned"
  for (int i = 0; i < 64; ++i) bins[i] = 0;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < m; ++i) bins[in[t + i * n] & 63]++;
  for (int i = 0; i < 64; ++i) out[t + i * n] = bins[i];
}

__global__ void few(const unsigned char* in, unsigned* out, int n) {
  unsigned bins[64];  // expect: RP403 warning @12 "64 x unsigned"
  for (int i = 0; i < 64; ++i) bins[i] = 0;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 60000; ++i) bins[in[t + i * n] & 63]++;
  for (int i = 0; i < 64; ++i) out[t + i * n] = bins[i];
}

void run(const unsigned char* in, unsigned* out, int n, int m) {
  added<<<n / 128, 128>>>(in, out, n, m);
  kept<<<n / 128, 128>>>(in, out, n, m);
  few<<<n / 128, 128>>>(in, out, n);
}
