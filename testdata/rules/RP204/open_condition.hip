// Not known without the class, so not for the compiler: whether the print is reached.
#include <hip/hip_runtime.h>

template <typename T>
struct Told;  // by whoever builds it

template <typename T>
__global__ void __launch_bounds__(256) chosen(const int* c, const T* a, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T s[64];
#pragma unroll
  for (int k = 0; k < 64; ++k) s[k] = a[i + k * n];
  if constexpr (Told<T>::all) printf("cell %d at %d\n", i, c[i]);  // expect: RP204 info @31 "`printf` in device code"
  T t = 0.0f;
#pragma unroll
  for (int k = 0; k < 64; ++k) t += s[k] * s[(k * 7 + 1) % 64];
  out[i] = t;
}
template __global__ void chosen<float>(const int*, const float*, float*, int);
