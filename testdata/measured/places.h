#pragma once
#ifdef __HIP__  // without HIP's headers, whose declarations would fill the object
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#endif

template <class T>
__device__ inline T scaled(const T *p) {
  return p[0] * 3 +
         p[1];
}

template <class T>
__global__ void inheader(T *p) {
  p[2] = scaled(p);
}
