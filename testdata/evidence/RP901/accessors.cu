// targets: gfx90a, gfx1100, sm_90
// What an accessor of SYCL is for a kernel: an offset, the range of the access, the range of the memory and a pointer.
typedef unsigned long long Word;

template <typename T>
struct Accessor2 {
  Word o0, o1, a0, a1, m0, m1;
  T* p;
  __device__ void begin() { p += o0 * m1 + o1; }
  __device__ T& at(Word x, Word y) const { return p[x * m1 + y]; }
};

template <typename T>
struct Accessor3 {
  Word o0, o1, o2, a0, a1, a2, m0, m1, m2;
  T* p;
  __device__ void begin() { p += (o0 * m1 + o1) * m2 + o2; }
  __device__ T& at(Word x, Word y, Word z) const { return p[(x * m1 + y) * m2 + z]; }
};

__global__ void four_smell(Accessor3<const float> a, Accessor3<const float> b, Accessor3<const float> c,
                           Accessor3<float> d, int m) {
  a.begin();
  b.begin();
  c.begin();
  d.begin();
  Word x = blockIdx.z * blockDim.z + threadIdx.z, y = blockIdx.y * blockDim.y + threadIdx.y;
  Word z = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int j = 0; j < m; ++j) s += a.at(x, y, z + j) * b.at(x, y + j, z) + c.at(x + j, y, z);
  d.at(x, y, z) = s;
}

__global__ void four_repaired(const float* a, const float* b, const float* c, float* d, int width, int height, int m) {
  unsigned x = blockIdx.z * blockDim.z + threadIdx.z, y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned z = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned i = (x * height + y) * width + z;
  float s = 0.0f;
  for (int j = 0; j < m; ++j) s += a[i + j] * b[i + j * width] + c[i + j * width * height];
  d[i] = s;
}

__global__ void stencil_smell(Accessor2<const float> a, Accessor2<float> b) {
  a.begin();
  b.begin();
  int i = blockIdx.y * blockDim.y + threadIdx.y + 1, j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  b.at(i, j) = (a.at(i, j) + a.at(i - 1, j) + a.at(i, j + 1) + a.at(i + 1, j) + a.at(i, j - 1)) / 5.0f;
}

__global__ void stencil_repaired(const float* a, float* b, int width) {
  int i = blockIdx.y * blockDim.y + threadIdx.y + 1, j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int at = i * width + j;
  b[at] = (a[at] + a[at - width] + a[at + 1] + a[at + width] + a[at - 1]) / 5.0f;
}
