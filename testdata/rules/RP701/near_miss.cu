// Calls that nvcc resolves.
// targets: sm_90

#define row(k) row[(k) * stride]

typedef float (*Filter)(float);
__device__ float smooth(float x) { return x * x; }
__device__ float applied(Filter filter, float x) { return filter(x); }
template <Filter F> __device__ float bound(float x) { return F(x); }
__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ int divisor(int p, int q) { return q == 0 ? p : divisor(q, p % q); }
__device__ void settle(const float* a, int* found, int at, int left) {
  if (a[at] < 0.0f && left > 0) {
    settle(a, found, at + left, left - 1);
    return;
  }
  *found = at;
}
template <int N> __device__ float halved(float x) {
  if constexpr (N > 0) return 0.5f * halved<N - 1>(x) + 1.0f;
  return x;
}
__device__ float2 half_of(float2 v);
__device__ float half_of(float v) { return 0.5f * v; }
__device__ float2 half_of(float2 v) { return make_float2(half_of(v.x), half_of(v.y)); }

struct Shape {
  __device__ virtual float area(float x) const = 0;
};
struct Square : Shape {
  float scale;
  __device__ float area(float x) const override { return x * x * scale; }
};
struct Disc final : Shape {
  float scale;
  __device__ float area(float x) const override { return x * scale; }
};
__device__ float measured(const Shape& shape, float x) { return shape.area(x); }
struct Scale {
  float factor;
  __device__ float operator()(float x) const { return factor * x; }
};

__global__ void __launch_bounds__(256) quiet(Disc* discs, Scale scale, float* row, float* b, int stride, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Filter filter = smooth;
  auto twice = [](float x) { return 2.0f * x; };
  float s = filter(row(i)) + applied(smooth, row(i + 1)) + bound<smooth>(row(i + 2)) + twice(row(i + 3)) + scale(s);
  Square square;
  square.scale = s;
  for (int k = 0; k < m; ++k) s += square.area(row(k)) + discs->area(row(k));
  s += measured(square, row(i)) + halved<3>(s) + half_of(make_float2(s, s)).x;
  int found;
  settle(b, &found, i, m);
  b[i] = s + factorial(m) + divisor(i, m) + found;
}

// An overload for another pointer type calls the built-in one of its name.
__device__ long atomicAdd(long* address, long value) {
  return (long)atomicAdd((unsigned long long*)address, (unsigned long long)value);
}
__global__ void counted(long* total) { atomicAdd(total, 3L); }

// Each call of an inlined function has a copy of its own, which knows the function that it is given.
__device__ float larger(float a, float b) { return a > b ? a : b; }
__device__ float added(float a, float b) { return a + b; }
template <class Op>
__device__ float joined(float v, Op&& op) {
  for (int i = 16; i > 0; i >>= 1) v = op(v * i, v);
  return v;
}
template <class Op>
__device__ float reduced(const float* a, int n, Op&& op) {
  float v = a[0];
  for (int i = threadIdx.x; i < n; i += 256) v = op(a[i], v);
  return joined(v, op);
}
__global__ void __launch_bounds__(256) reductions(const float* a, float* b, int n) {
  b[threadIdx.x] = reduced(a, n, larger) + reduced(a, n, added);
}

// Objects of classes that are not in view, with `operator()`: a reference is no pointer that the kernel was handed.
struct normals {
  const float* v;
  __device__ float operator()(const Eigen::Vector3i& corner) const { return v[corner(0)] - v[corner(1)]; }
};
template <class V>
__device__ float sum_of(const V& p) {
  return p(0) + p(1);
}
__global__ void summed(const Eigen::Vector3f* p, const Eigen::Vector3i* c, const float* a, float* b) {
  Eigen::Vector3f own = p[threadIdx.x];
  b[threadIdx.x] = sum_of(own) + own(2) + normals{a}(c[threadIdx.x]);
}
void transformed(thrust::device_vector<Eigen::Vector3i>& t, thrust::device_vector<float>& n, const float* v) {
  thrust::transform(t.begin(), t.end(), n.begin(), normals{v});
}

// A header that is not here has `#define img(y, x) img[(y) * w + (x)]`.
__global__ void sampled(const float* img, float* out, int w) {
  out[threadIdx.x] = img(threadIdx.x, 0) + img(threadIdx.x, 1);
}
