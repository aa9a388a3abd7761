// targets: gfx90a, gfx1100, sm_90
// What an accessor of SYCL is for a kernel: an offset, the range of the access, the range of the memory and a pointer.
template <typename T>
struct Accessor {
  unsigned long long o, a, m;
  T* p;
  __device__ void begin() { p += o; }
};

__global__ void eight_smell(Accessor<const float> a, Accessor<const float> b, Accessor<const float> c,
                            Accessor<const float> d, Accessor<const float> e, Accessor<const float> f,
                            Accessor<const float> g, Accessor<float> o, int m, int n) {
  a.begin(), b.begin(), c.begin(), d.begin(), e.begin(), f.begin(), g.begin(), o.begin();
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int j = 0; j < m; ++j, i += n) s += a.p[i] * b.p[i] + c.p[i] * d.p[i] + e.p[i] * f.p[i] + g.p[i];
  o.p[i] = s;
}

__global__ void eight_repaired(const float* a, const float* b, const float* c, const float* d, const float* e,
                               const float* f, const float* g, float* o, int m, int n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int j = 0; j < m; ++j, i += n) s += a[i] * b[i] + c[i] * d[i] + e[i] * f[i] + g[i];
  o[i] = s;
}
