// Templates with explicit instantiations: sizes, types, flags, policies.

template <int N>
__global__ void moving_average(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + N > n) return;
  float sum = 0.0f;
  for (int k = 0; k < N; k++) sum += in[i + k];
  out[i] = sum / N;
}
template __global__ void moving_average<3>(const float*, float*, int);
template __global__ void moving_average<8>(const float*, float*, int);
template __global__ void moving_average<32>(const float*, float*, int);

template <class T, int ROWS, int COLUMNS>
__global__ void tile_product(const T* a, const T* b, T* c, int depth, int lda, int ldb) {
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
  const int column = (blockIdx.x * blockDim.x + threadIdx.x) * COLUMNS;
  T acc[ROWS][COLUMNS];
#pragma unroll
  for (int i = 0; i < ROWS; i++)
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) acc[i][j] = T(0);
  for (int k = 0; k < depth; k++) {
    T x[ROWS], y[COLUMNS];
#pragma unroll
    for (int i = 0; i < ROWS; i++) x[i] = a[(row + i) * lda + k];
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) y[j] = b[k * ldb + column + j];
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
      for (int j = 0; j < COLUMNS; j++) acc[i][j] += x[i] * y[j];
  }
#pragma unroll
  for (int i = 0; i < ROWS; i++)
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) c[(row + i) * ldb + column + j] = acc[i][j];
}
template __global__ void tile_product<float, 4, 8>(const float*, const float*, float*, int, int, int);
template __global__ void tile_product<float, 8, 16>(const float*, const float*, float*, int, int, int);
template __global__ void tile_product<double, 4, 4>(const double*, const double*, double*, int, int, int);
template __global__ void tile_product<double, 8, 8>(const double*, const double*, double*, int, int, int);
template __global__ void tile_product<int, 2, 6>(const int*, const int*, int*, int, int, int);

template <class T>
struct Plus {
  __device__ T operator()(T a, T b) const { return a + b; }
  static __device__ T none() { return T(0); }
};

template <class T>
struct Larger {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
  static __device__ T none() { return T(-1) * 1000000; }
};

template <class T, class Op, int BLOCK>
__global__ void block_fold(const T* in, T* out, int n) {
  __shared__ T part[BLOCK];
  const Op op{};
  T mine = Op::none();
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) mine = op(mine, in[i]);
  part[threadIdx.x] = mine;
  __syncthreads();
#pragma unroll
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] = op(part[threadIdx.x], part[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
template __global__ void block_fold<float, Plus<float>, 256>(const float*, float*, int);
template __global__ void block_fold<double, Larger<double>, 128>(const double*, double*, int);
template __global__ void block_fold<long long, Plus<long long>, 512>(const long long*, long long*, int);

template <bool CHECKED, bool SCALED>
__global__ void strided_copy(const double* in, double* out, double scale, int stride, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (CHECKED && i >= n) return;
  double v = in[i * stride];
  if constexpr (SCALED) v = v * scale + exp(-v * v);
  out[i] = v;
}
template __global__ void strided_copy<false, false>(const double*, double*, double, int, int);
template __global__ void strided_copy<true, false>(const double*, double*, double, int, int);
template __global__ void strided_copy<true, true>(const double*, double*, double, int, int);

template <int DEGREE, class T>
__device__ T horner(const T* c, T x) {
  if constexpr (DEGREE == 0) return c[0];
  else return horner<DEGREE - 1>(c + 1, x) * x + c[0];
}

template <int DEGREE>
__global__ void polynomials(const float* coefficients, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float c[DEGREE + 1];
  for (int k = 0; k <= DEGREE; k++) c[k] = coefficients[k * n + i];
  y[i] = horner<DEGREE>(c, x[i]);
}
template __global__ void polynomials<4>(const float*, const float*, float*, int);
template __global__ void polynomials<16>(const float*, const float*, float*, int);
template __global__ void polynomials<40>(const float*, const float*, float*, int);

template <class T, int N>
struct Vec {
  T e[N];
  __device__ Vec operator+(const Vec& o) const {
    Vec r;
    for (int k = 0; k < N; k++) r.e[k] = e[k] + o.e[k];
    return r;
  }
  __device__ Vec operator*(T s) const {
    Vec r;
    for (int k = 0; k < N; k++) r.e[k] = e[k] * s;
    return r;
  }
  __device__ T dot(const Vec& o) const {
    T s = 0;
    for (int k = 0; k < N; k++) s += e[k] * o.e[k];
    return s;
  }
};

template <class T, int N>
__global__ void gram_schmidt(Vec<T, N>* a, Vec<T, N>* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vec<T, N> u = a[i], v = b[i];
  u = u * (T(1) / sqrt(u.dot(u)));
  v = v + u * -u.dot(v);
  v = v * (T(1) / sqrt(v.dot(v)));
  a[i] = u;
  b[i] = v;
}
template __global__ void gram_schmidt<float, 3>(Vec<float, 3>*, Vec<float, 3>*, int);
template __global__ void gram_schmidt<float, 16>(Vec<float, 16>*, Vec<float, 16>*, int);
template __global__ void gram_schmidt<double, 10>(Vec<double, 10>*, Vec<double, 10>*, int);

// LU factors and a solution of N equations, all of it in registers if the loops are unrolled.
template <int N>
__global__ void solve_small(const float* matrices, float* vectors, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[N][N], b[N];
#pragma unroll
  for (int r = 0; r < N; r++) {
    b[r] = vectors[r * n + i];
#pragma unroll
    for (int c = 0; c < N; c++) a[r][c] = matrices[(r * N + c) * n + i];
  }
#pragma unroll
  for (int k = 0; k < N; k++) {
    const float inv = 1.0f / a[k][k];
#pragma unroll
    for (int r = k + 1; r < N; r++) {
      const float f = a[r][k] * inv;
#pragma unroll
      for (int c = k + 1; c < N; c++) a[r][c] -= f * a[k][c];
      b[r] -= f * b[k];
    }
  }
#pragma unroll
  for (int k = N - 1; k >= 0; k--) {
#pragma unroll
    for (int c = k + 1; c < N; c++) b[k] -= a[k][c] * b[c];
    b[k] /= a[k][k];
    vectors[k * n + i] = b[k];
  }
}
template __global__ void solve_small<3>(const float*, float*, int);
template __global__ void solve_small<6>(const float*, float*, int);
template __global__ void solve_small<9>(const float*, float*, int);

template <int RADIUS>
__global__ void line_filter(const float* in, float* out, const float* weight, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + RADIUS;
  if (i >= n - RADIUS) return;
  float near[2 * RADIUS + 1];
#pragma unroll
  for (int k = -RADIUS; k <= RADIUS; k++) near[k + RADIUS] = in[i + k];
  float sum = 0.0f, most = -1e30f;
#pragma unroll
  for (int k = 0; k <= 2 * RADIUS; k++) {
    sum += weight[k] * near[k];
    most = fmaxf(most, near[k]);
  }
  out[i] = sum / most;
}
template __global__ void line_filter<1>(const float*, float*, const float*, int);
template __global__ void line_filter<8>(const float*, float*, const float*, int);
template __global__ void line_filter<24>(const float*, float*, const float*, int);

enum class Border { Zero, Clamp, Wrap };

template <Border B>
__device__ float pixel(const float* image, int x, int y, int w, int h) {
  if constexpr (B == Border::Zero) return x < 0 || y < 0 || x >= w || y >= h ? 0.0f : image[y * w + x];
  if constexpr (B == Border::Clamp) return image[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)];
  return image[(y + h) % h * w + (x + w) % w];
}

template <Border B>
__global__ void blur5(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int j = -2; j <= 2; j++)
    for (int i = -2; i <= 2; i++) sum += pixel<B>(in, x + i, y + j, w, h);
  out[y * w + x] = sum / 25.0f;
}
template __global__ void blur5<Border::Zero>(const float*, float*, int, int);
template __global__ void blur5<Border::Clamp>(const float*, float*, int, int);
template __global__ void blur5<Border::Wrap>(const float*, float*, int, int);
