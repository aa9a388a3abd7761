// A function that is not inlined has a frame of its own, and nvcc takes no indexed array out of that.
__device__ __noinline__ float total(const float* in, int n) {
  float t[4];  // expect: RP403 @9 "nvcc keeps none of a function that is not inlined, `total`"
  for (int i = 0; i < 4; ++i) t[i] = in[i * n];
  float a = 0;
  for (int i = 0; i < n; ++i) a += t[(i * 7) % 4] * in[i];
  return a;
}

__global__ void k(float* out, const float* in, int n) { out[threadIdx.x] = total(in + threadIdx.x, n); }
