// Lists that grow by one counter are in memory for one reason, and are one finding.
#include <cuda_runtime.h>

__global__ void fit(const float4* t, float* o, int n) {
  float x[600];  // expect: RP403 info @9 "`y` and `z` go with it"
  float y[600], z[600];
  int m = 0;
  for (int i = threadIdx.x; i < n; i += 32) {
    const float4 v = t[i];
    if (v.w > 0) {
      x[m] = v.x;
      y[m] = v.y;
      z[m] = v.z;
      m++;
    }
  }
  float s = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < i; ++j) s += x[i] * y[j] - z[i];
  o[threadIdx.x] = s;
}
