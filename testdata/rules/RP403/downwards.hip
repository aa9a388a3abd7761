// A loop that runs down to a constant: where it begins is what nobody knows.
#include <hip/hip_runtime.h>

__global__ void __launch_bounds__(256) cast(const unsigned char* in, float* out, int channels) {
  float colour[20];  // expect: RP403 warning @9 "what it begins with is known only at run time"
  for (int k = 0; k < 20; ++k) colour[k] = in[k];
  for (int c = channels - 1; c >= 0; c--) out[(c * 64 + blockIdx.x) * 64 + threadIdx.x] += colour[c];
}
