// CUDA and HIP kernels take pointers, or structs with one: nothing to say.
struct Accessor {
  float* p;
  size_t offset;
  __device__ float& operator[](size_t i) const { return p[offset + i]; }
};

__global__ void scale(Accessor a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i] * 2.0f;
}
