// targets: sm_90
struct view { const float* data; long pitch, stride; __device__ float operator()(long i, long j) const { return data[i * pitch + j * stride]; } };
struct narrow { const float* data; int pitch, stride; __device__ float operator()(int i, int j) const { return data[i * pitch + j * stride]; } };

__global__ void __launch_bounds__(256) wide_views(float* out, view a, view b, view c, long n, long m) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x, j = blockIdx.y;
  float sum = 0;
  for (long k = 1; k < m - 1; ++k) sum += a(i, k) * b(k, j) + a(i + 1, k) * b(k + 1, j) + c(i, k - 1) * c(k + 1, j) + a(i - 1, k) * b(k - 1, j);  // expect: RP605 "products with strides of `a`, `b` and `c`"
  out[i * m + j] = sum;
}

__global__ void __launch_bounds__(256) narrow_views(float* out, narrow a, narrow b, narrow c, int n, int m) {
  int i = blockIdx.x * (int)blockDim.x + threadIdx.x, j = blockIdx.y;
  float sum = 0;
  for (int k = 1; k < m - 1; ++k) sum += a(i, k) * b(k, j) + a(i + 1, k) * b(k + 1, j) + c(i, k - 1) * c(k + 1, j) + a(i - 1, k) * b(k - 1, j);
  out[i * m + j] = sum;
}
