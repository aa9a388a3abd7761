// A loop that the values end, too: behind its copies the counter is known at run time only.
#include <hip/hip_runtime.h>

__global__ void inserted(const float* a, float* out, int n) {
  float best[20];  // expect: RP403 @9 "`best` of 20 x float" "scratch memory"
  for (int i = 0; i < 20; ++i) best[i] = 1e30f;
  for (int i = 0; i < n; ++i) {
    float d = a[i];
    int j = 19;
    while (j > 0 && best[j - 1] > d) {
      best[j] = best[j - 1];
      --j;
    }
    best[j] = d;
  }
  for (int i = 0; i < 20; ++i) out[i] = best[i];
}

struct Row {
  float v[20];
  __device__ float& operator[](int i) { return v[i]; }
};

__global__ void subscripted(const float* a, float* out, int n) {
  Row row;  // expect: RP403 @7 "`row` (Row, 80 bytes per thread)" "`row[i % 20]`"
  for (int i = 0; i < 20; ++i) row[i] = a[i];
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += row[i % 20];
  *out = sum;
}
