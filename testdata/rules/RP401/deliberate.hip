// `volatile` that is the point of the code: information, and no fix.
#include <hip/hip_runtime.h>

__global__ void sink(const float* a) {
  volatile float keep = 0;  // expect: RP401 info @3 "`keep`"
  keep = a[threadIdx.x];
}

__global__ void wait(float* a, int n) {
  for (volatile int i = 0; i < n; i++)  // expect: RP401 info "`i`"
    ;
  a[0] = 1;
}

__global__ void timed(long* a, float* b) {
  volatile float sum = b[0];  // expect: RP401 info "`sum`"
  long begin = clock64();
  for (int i = 0; i < 9; ++i) sum = sum + b[i];
  a[0] = clock64() - begin;
  b[0] = sum;
}

__global__ void used(float* a, int n) {
  volatile int sum = 0;  // expect: RP401 warning @3 "`sum`"
  for (int i = 0; i < n; i++) sum += a[i];
  a[0] = sum;
}

__global__ void referred(float* a) {
  __shared__ unsigned shared[8];
  volatile unsigned& mine = shared[threadIdx.x / 32];
  if (threadIdx.x % 32 == 0) mine = threadIdx.x;
  a[threadIdx.x] = mine;
}
