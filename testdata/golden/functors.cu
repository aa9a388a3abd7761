// Function objects and lambdas as arguments of kernels, launched from host code.

struct Square {
  __device__ float operator()(float x) const { return x * x; }
};

struct Affine {
  float a, b;
  __device__ float operator()(float x) const { return a * x + b; }
};

struct Gaussian {
  float mean, inverse, height;
  __device__ float operator()(float x) const {
    const float d = (x - mean) * inverse;
    return height * expf(-0.5f * d * d);
  }
};

template <class F>
__global__ void map_values(const float* in, float* out, F f, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = f(in[i]);
}
template __global__ void map_values<Square>(const float*, float*, Square, int);
template __global__ void map_values<Affine>(const float*, float*, Affine, int);
template __global__ void map_values<Gaussian>(const float*, float*, Gaussian, int);

template <class F, class G>
struct Chain {
  F first;
  G second;
  __device__ float operator()(float x) const { return second(first(x)); }
};

template <class F>
__global__ void map_four(const float4* in, float4* out, F f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = in[i];
  out[i] = make_float4(f(v.x), f(v.y), f(v.z), f(v.w));
}
template __global__ void map_four<Chain<Square, Gaussian>>(const float4*, float4*, Chain<Square, Gaussian>, int);

template <class F>
__global__ void each_index(F f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

template <class F>
__global__ void each_cell(F f, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny) f(x, y);
}

template <class F>
__global__ void fold_index(F f, float* out, int n) {
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += f(i);
  atomicAdd(out, sum);
}

void launch_all(float* a, float* b, const float* c, float s, int n);
void launch_all(float* a, float* b, const float* c, float s, int n) {
  each_index<<<n / 256, 256>>>([=] __device__(int i) {
    const float x = c[i];
    a[i] = s * x + b[i];
    b[i] = x - s;
  }, n);
  each_cell<<<dim3(n / 32, n / 8), dim3(32, 8)>>>([=] __device__(int x, int y) {
    const int at = y * n + x;
    float v = 0.0f;
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++) v += c[at + j * n + i] * s;
    a[at] = v + b[at];
  }, n, n);
  fold_index<<<64, 256>>>([=] __device__(int i) { return a[i] * b[i] + c[i]; }, a, n);
}

// A policy that holds a table of coefficients by value.
struct Spline {
  float c[4][8];
  __device__ float operator()(float x) const {
    const int k = min(max(static_cast<int>(x), 0), 7);
    const float t = x - k;
    return ((c[3][k] * t + c[2][k]) * t + c[1][k]) * t + c[0][k];
  }
};

__global__ void spline_by_value(const float* in, float* out, Spline s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = s(in[i]);
}

template <class Step>
__global__ void iterate(float* x, Step step, int times, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int t = 0; t < times; t++) v = step(v);
  x[i] = v;
}
struct NewtonRoot {
  float of;
  __device__ float operator()(float x) const { return 0.5f * (x + of / x); }
};
struct LogisticMap {
  float r;
  __device__ float operator()(float x) const { return r * x * (1.0f - x); }
};
template __global__ void iterate<NewtonRoot>(float*, NewtonRoot, int, int);
template __global__ void iterate<LogisticMap>(float*, LogisticMap, int, int);
