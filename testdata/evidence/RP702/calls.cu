// The same as in calls.hip.
// known miss: arrays sm_90: fewer registers, and 64 bytes of stack that every call reads and writes.
// known miss: few sm_90: four registers that happen to cross a step; the number of calls does not tell.
// known miss: many sm_90: likewise.
// Four calls of a function in double precision.
__device__ double few_step_smell(double x, double k) {
  double y = x * x + k;
  double z = (y - 1.5) / (y + x);
  double w = sqrt(fabs(z) + y);
  return (w * y + z) * (x - w) + k * z;
}

// time: few threads=4194304 size=100663296 n=4194304 t=1
__global__ void __launch_bounds__(256) few_smell(const double* a, double* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
  r += few_step_smell(a[0 * n + i], 0.5);
  r += few_step_smell(a[1 * n + i], 1.5);
  r += few_step_smell(a[2 * n + i], 2.5);
  r += few_step_smell(a[3 * n + i], 3.5);
  b[i] = r;
}

__device__ __attribute__((noinline)) double few_step_repaired(double x, double k) {
  double y = x * x + k;
  double z = (y - 1.5) / (y + x);
  double w = sqrt(fabs(z) + y);
  return (w * y + z) * (x - w) + k * z;
}

__global__ void __launch_bounds__(256) few_repaired(const double* a, double* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
  r += few_step_repaired(a[0 * n + i], 0.5);
  r += few_step_repaired(a[1 * n + i], 1.5);
  r += few_step_repaired(a[2 * n + i], 2.5);
  r += few_step_repaired(a[3 * n + i], 3.5);
  b[i] = r;
}

// 24 of them.
__device__ double many_step_smell(double x, double k) {
  double y = x * x + k;
  double z = (y - 1.5) / (y + x);
  double w = sqrt(fabs(z) + y);
  return (w * y + z) * (x - w) + k * z;
}

// time: many threads=4194304 size=100663296 n=4194304 t=1
__global__ void __launch_bounds__(256) many_smell(const double* a, double* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
  r += many_step_smell(a[0 * n + i], 0.5);
  r += many_step_smell(a[1 * n + i], 1.5);
  r += many_step_smell(a[2 * n + i], 2.5);
  r += many_step_smell(a[3 * n + i], 3.5);
  r += many_step_smell(a[4 * n + i], 4.5);
  r += many_step_smell(a[5 * n + i], 5.5);
  r += many_step_smell(a[6 * n + i], 6.5);
  r += many_step_smell(a[7 * n + i], 7.5);
  r += many_step_smell(a[8 * n + i], 8.5);
  r += many_step_smell(a[9 * n + i], 9.5);
  r += many_step_smell(a[10 * n + i], 10.5);
  r += many_step_smell(a[11 * n + i], 11.5);
  r += many_step_smell(a[12 * n + i], 12.5);
  r += many_step_smell(a[13 * n + i], 13.5);
  r += many_step_smell(a[14 * n + i], 14.5);
  r += many_step_smell(a[15 * n + i], 15.5);
  r += many_step_smell(a[16 * n + i], 16.5);
  r += many_step_smell(a[17 * n + i], 17.5);
  r += many_step_smell(a[18 * n + i], 18.5);
  r += many_step_smell(a[19 * n + i], 19.5);
  r += many_step_smell(a[20 * n + i], 20.5);
  r += many_step_smell(a[21 * n + i], 21.5);
  r += many_step_smell(a[22 * n + i], 22.5);
  r += many_step_smell(a[23 * n + i], 23.5);
  b[i] = r;
}

__device__ __attribute__((noinline)) double many_step_repaired(double x, double k) {
  double y = x * x + k;
  double z = (y - 1.5) / (y + x);
  double w = sqrt(fabs(z) + y);
  return (w * y + z) * (x - w) + k * z;
}

__global__ void __launch_bounds__(256) many_repaired(const double* a, double* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = 0.0;
  r += many_step_repaired(a[0 * n + i], 0.5);
  r += many_step_repaired(a[1 * n + i], 1.5);
  r += many_step_repaired(a[2 * n + i], 2.5);
  r += many_step_repaired(a[3 * n + i], 3.5);
  r += many_step_repaired(a[4 * n + i], 4.5);
  r += many_step_repaired(a[5 * n + i], 5.5);
  r += many_step_repaired(a[6 * n + i], 6.5);
  r += many_step_repaired(a[7 * n + i], 7.5);
  r += many_step_repaired(a[8 * n + i], 8.5);
  r += many_step_repaired(a[9 * n + i], 9.5);
  r += many_step_repaired(a[10 * n + i], 10.5);
  r += many_step_repaired(a[11 * n + i], 11.5);
  r += many_step_repaired(a[12 * n + i], 12.5);
  r += many_step_repaired(a[13 * n + i], 13.5);
  r += many_step_repaired(a[14 * n + i], 14.5);
  r += many_step_repaired(a[15 * n + i], 15.5);
  r += many_step_repaired(a[16 * n + i], 16.5);
  r += many_step_repaired(a[17 * n + i], 17.5);
  r += many_step_repaired(a[18 * n + i], 18.5);
  r += many_step_repaired(a[19 * n + i], 19.5);
  r += many_step_repaired(a[20 * n + i], 20.5);
  r += many_step_repaired(a[21 * n + i], 21.5);
  r += many_step_repaired(a[22 * n + i], 22.5);
  r += many_step_repaired(a[23 * n + i], 23.5);
  b[i] = r;
}

// 24, each of the last one's result.
__device__ double chained_step_smell(double x, double k) {
  double y = x * x + k;
  double z = (y - 1.5) / (y + x);
  double w = sqrt(fabs(z) + y);
  return (w * y + z) * (x - w) + k * z;
}

// time: chained threads=4194304 size=100663296 n=4194304 t=1
__global__ void __launch_bounds__(256) chained_smell(const double* a, double* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = a[i];
  r = chained_step_smell(r, 0.5);
  r = chained_step_smell(r, 1.5);
  r = chained_step_smell(r, 2.5);
  r = chained_step_smell(r, 3.5);
  r = chained_step_smell(r, 4.5);
  r = chained_step_smell(r, 5.5);
  r = chained_step_smell(r, 6.5);
  r = chained_step_smell(r, 7.5);
  r = chained_step_smell(r, 8.5);
  r = chained_step_smell(r, 9.5);
  r = chained_step_smell(r, 10.5);
  r = chained_step_smell(r, 11.5);
  r = chained_step_smell(r, 12.5);
  r = chained_step_smell(r, 13.5);
  r = chained_step_smell(r, 14.5);
  r = chained_step_smell(r, 15.5);
  r = chained_step_smell(r, 16.5);
  r = chained_step_smell(r, 17.5);
  r = chained_step_smell(r, 18.5);
  r = chained_step_smell(r, 19.5);
  r = chained_step_smell(r, 20.5);
  r = chained_step_smell(r, 21.5);
  r = chained_step_smell(r, 22.5);
  r = chained_step_smell(r, 23.5);
  b[i] = r;
}

__device__ __attribute__((noinline)) double chained_step_repaired(double x, double k) {
  double y = x * x + k;
  double z = (y - 1.5) / (y + x);
  double w = sqrt(fabs(z) + y);
  return (w * y + z) * (x - w) + k * z;
}

__global__ void __launch_bounds__(256) chained_repaired(const double* a, double* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double r = a[i];
  r = chained_step_repaired(r, 0.5);
  r = chained_step_repaired(r, 1.5);
  r = chained_step_repaired(r, 2.5);
  r = chained_step_repaired(r, 3.5);
  r = chained_step_repaired(r, 4.5);
  r = chained_step_repaired(r, 5.5);
  r = chained_step_repaired(r, 6.5);
  r = chained_step_repaired(r, 7.5);
  r = chained_step_repaired(r, 8.5);
  r = chained_step_repaired(r, 9.5);
  r = chained_step_repaired(r, 10.5);
  r = chained_step_repaired(r, 11.5);
  r = chained_step_repaired(r, 12.5);
  r = chained_step_repaired(r, 13.5);
  r = chained_step_repaired(r, 14.5);
  r = chained_step_repaired(r, 15.5);
  r = chained_step_repaired(r, 16.5);
  r = chained_step_repaired(r, 17.5);
  r = chained_step_repaired(r, 18.5);
  r = chained_step_repaired(r, 19.5);
  r = chained_step_repaired(r, 20.5);
  r = chained_step_repaired(r, 21.5);
  r = chained_step_repaired(r, 22.5);
  r = chained_step_repaired(r, 23.5);
  b[i] = r;
}

// 24 calls beside 24 values that are needed behind them.
__device__ float alive_step_smell(float x, float k) {
  float y = expf(x * k) + logf(x + k);
  float z = (y - 1.5f) / (y + x);
  float w = powf(fabsf(z) + y, k);
  return (w * y + z) * (x - w) + sinf(k * z);
}

// time: alive threads=4194304 size=100663296 n=4194304 t=1
__global__ void __launch_bounds__(256) alive_smell(const float* a, float* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = a[0 * n + i];
  float s1 = a[1 * n + i];
  float s2 = a[2 * n + i];
  float s3 = a[3 * n + i];
  float s4 = a[4 * n + i];
  float s5 = a[5 * n + i];
  float s6 = a[6 * n + i];
  float s7 = a[7 * n + i];
  float s8 = a[8 * n + i];
  float s9 = a[9 * n + i];
  float s10 = a[10 * n + i];
  float s11 = a[11 * n + i];
  float s12 = a[12 * n + i];
  float s13 = a[13 * n + i];
  float s14 = a[14 * n + i];
  float s15 = a[15 * n + i];
  float s16 = a[16 * n + i];
  float s17 = a[17 * n + i];
  float s18 = a[18 * n + i];
  float s19 = a[19 * n + i];
  float s20 = a[20 * n + i];
  float s21 = a[21 * n + i];
  float s22 = a[22 * n + i];
  float s23 = a[23 * n + i];
  float r = 0.0f;
  r += alive_step_smell(s0, 0.5f);
  r += alive_step_smell(s1, 1.5f);
  r += alive_step_smell(s2, 2.5f);
  r += alive_step_smell(s3, 3.5f);
  r += alive_step_smell(s4, 4.5f);
  r += alive_step_smell(s5, 5.5f);
  r += alive_step_smell(s6, 6.5f);
  r += alive_step_smell(s7, 7.5f);
  r += alive_step_smell(s8, 8.5f);
  r += alive_step_smell(s9, 9.5f);
  r += alive_step_smell(s10, 10.5f);
  r += alive_step_smell(s11, 11.5f);
  r += alive_step_smell(s12, 12.5f);
  r += alive_step_smell(s13, 13.5f);
  r += alive_step_smell(s14, 14.5f);
  r += alive_step_smell(s15, 15.5f);
  r += alive_step_smell(s16, 16.5f);
  r += alive_step_smell(s17, 17.5f);
  r += alive_step_smell(s18, 18.5f);
  r += alive_step_smell(s19, 19.5f);
  r += alive_step_smell(s20, 20.5f);
  r += alive_step_smell(s21, 21.5f);
  r += alive_step_smell(s22, 22.5f);
  r += alive_step_smell(s23, 23.5f);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
  b[6 * n + i] = s6 * r;
  b[7 * n + i] = s7 * r;
  b[8 * n + i] = s8 * r;
  b[9 * n + i] = s9 * r;
  b[10 * n + i] = s10 * r;
  b[11 * n + i] = s11 * r;
  b[12 * n + i] = s12 * r;
  b[13 * n + i] = s13 * r;
  b[14 * n + i] = s14 * r;
  b[15 * n + i] = s15 * r;
  b[16 * n + i] = s16 * r;
  b[17 * n + i] = s17 * r;
  b[18 * n + i] = s18 * r;
  b[19 * n + i] = s19 * r;
  b[20 * n + i] = s20 * r;
  b[21 * n + i] = s21 * r;
  b[22 * n + i] = s22 * r;
  b[23 * n + i] = s23 * r;
}

__device__ __attribute__((noinline)) float alive_step_repaired(float x, float k) {
  float y = expf(x * k) + logf(x + k);
  float z = (y - 1.5f) / (y + x);
  float w = powf(fabsf(z) + y, k);
  return (w * y + z) * (x - w) + sinf(k * z);
}

__global__ void __launch_bounds__(256) alive_repaired(const float* a, float* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = a[0 * n + i];
  float s1 = a[1 * n + i];
  float s2 = a[2 * n + i];
  float s3 = a[3 * n + i];
  float s4 = a[4 * n + i];
  float s5 = a[5 * n + i];
  float s6 = a[6 * n + i];
  float s7 = a[7 * n + i];
  float s8 = a[8 * n + i];
  float s9 = a[9 * n + i];
  float s10 = a[10 * n + i];
  float s11 = a[11 * n + i];
  float s12 = a[12 * n + i];
  float s13 = a[13 * n + i];
  float s14 = a[14 * n + i];
  float s15 = a[15 * n + i];
  float s16 = a[16 * n + i];
  float s17 = a[17 * n + i];
  float s18 = a[18 * n + i];
  float s19 = a[19 * n + i];
  float s20 = a[20 * n + i];
  float s21 = a[21 * n + i];
  float s22 = a[22 * n + i];
  float s23 = a[23 * n + i];
  float r = 0.0f;
  r += alive_step_repaired(s0, 0.5f);
  r += alive_step_repaired(s1, 1.5f);
  r += alive_step_repaired(s2, 2.5f);
  r += alive_step_repaired(s3, 3.5f);
  r += alive_step_repaired(s4, 4.5f);
  r += alive_step_repaired(s5, 5.5f);
  r += alive_step_repaired(s6, 6.5f);
  r += alive_step_repaired(s7, 7.5f);
  r += alive_step_repaired(s8, 8.5f);
  r += alive_step_repaired(s9, 9.5f);
  r += alive_step_repaired(s10, 10.5f);
  r += alive_step_repaired(s11, 11.5f);
  r += alive_step_repaired(s12, 12.5f);
  r += alive_step_repaired(s13, 13.5f);
  r += alive_step_repaired(s14, 14.5f);
  r += alive_step_repaired(s15, 15.5f);
  r += alive_step_repaired(s16, 16.5f);
  r += alive_step_repaired(s17, 17.5f);
  r += alive_step_repaired(s18, 18.5f);
  r += alive_step_repaired(s19, 19.5f);
  r += alive_step_repaired(s20, 20.5f);
  r += alive_step_repaired(s21, 21.5f);
  r += alive_step_repaired(s22, 22.5f);
  r += alive_step_repaired(s23, 23.5f);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
  b[6 * n + i] = s6 * r;
  b[7 * n + i] = s7 * r;
  b[8 * n + i] = s8 * r;
  b[9 * n + i] = s9 * r;
  b[10 * n + i] = s10 * r;
  b[11 * n + i] = s11 * r;
  b[12 * n + i] = s12 * r;
  b[13 * n + i] = s13 * r;
  b[14 * n + i] = s14 * r;
  b[15 * n + i] = s15 * r;
  b[16 * n + i] = s16 * r;
  b[17 * n + i] = s17 * r;
  b[18 * n + i] = s18 * r;
  b[19 * n + i] = s19 * r;
  b[20 * n + i] = s20 * r;
  b[21 * n + i] = s21 * r;
  b[22 * n + i] = s22 * r;
  b[23 * n + i] = s23 * r;
}

// 12 sines beside 12 values: on AMD each is begun before the first one ends.
__device__ float sines_step_smell(float x, float k) {
  return sinf(x * k) * x + k;
}

// time: sines threads=4194304 size=100663296 n=4194304 t=1
__global__ void __launch_bounds__(256) sines_smell(const float* a, float* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = a[0 * n + i];
  float s1 = a[1 * n + i];
  float s2 = a[2 * n + i];
  float s3 = a[3 * n + i];
  float s4 = a[4 * n + i];
  float s5 = a[5 * n + i];
  float s6 = a[6 * n + i];
  float s7 = a[7 * n + i];
  float s8 = a[8 * n + i];
  float s9 = a[9 * n + i];
  float s10 = a[10 * n + i];
  float s11 = a[11 * n + i];
  float r = 0.0f;
  r += sines_step_smell(s0, 0.5f);
  r += sines_step_smell(s1, 1.5f);
  r += sines_step_smell(s2, 2.5f);
  r += sines_step_smell(s3, 3.5f);
  r += sines_step_smell(s4, 4.5f);
  r += sines_step_smell(s5, 5.5f);
  r += sines_step_smell(s6, 6.5f);
  r += sines_step_smell(s7, 7.5f);
  r += sines_step_smell(s8, 8.5f);
  r += sines_step_smell(s9, 9.5f);
  r += sines_step_smell(s10, 10.5f);
  r += sines_step_smell(s11, 11.5f);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
  b[6 * n + i] = s6 * r;
  b[7 * n + i] = s7 * r;
  b[8 * n + i] = s8 * r;
  b[9 * n + i] = s9 * r;
  b[10 * n + i] = s10 * r;
  b[11 * n + i] = s11 * r;
}

__device__ __attribute__((noinline)) float sines_step_repaired(float x, float k) {
  return sinf(x * k) * x + k;
}

__global__ void __launch_bounds__(256) sines_repaired(const float* a, float* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = a[0 * n + i];
  float s1 = a[1 * n + i];
  float s2 = a[2 * n + i];
  float s3 = a[3 * n + i];
  float s4 = a[4 * n + i];
  float s5 = a[5 * n + i];
  float s6 = a[6 * n + i];
  float s7 = a[7 * n + i];
  float s8 = a[8 * n + i];
  float s9 = a[9 * n + i];
  float s10 = a[10 * n + i];
  float s11 = a[11 * n + i];
  float r = 0.0f;
  r += sines_step_repaired(s0, 0.5f);
  r += sines_step_repaired(s1, 1.5f);
  r += sines_step_repaired(s2, 2.5f);
  r += sines_step_repaired(s3, 3.5f);
  r += sines_step_repaired(s4, 4.5f);
  r += sines_step_repaired(s5, 5.5f);
  r += sines_step_repaired(s6, 6.5f);
  r += sines_step_repaired(s7, 7.5f);
  r += sines_step_repaired(s8, 8.5f);
  r += sines_step_repaired(s9, 9.5f);
  r += sines_step_repaired(s10, 10.5f);
  r += sines_step_repaired(s11, 11.5f);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
  b[6 * n + i] = s6 * r;
  b[7 * n + i] = s7 * r;
  b[8 * n + i] = s8 * r;
  b[9 * n + i] = s9 * r;
  b[10 * n + i] = s10 * r;
  b[11 * n + i] = s11 * r;
}

// Likewise in double precision.
__device__ double sines_double_step_smell(double x, double k) {
  return sin(x * k) * x + k;
}

// time: sines_double threads=4194304 size=100663296 n=4194304 t=1
__global__ void __launch_bounds__(256) sines_double_smell(const double* a, double* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0 = a[0 * n + i];
  double s1 = a[1 * n + i];
  double s2 = a[2 * n + i];
  double s3 = a[3 * n + i];
  double s4 = a[4 * n + i];
  double s5 = a[5 * n + i];
  double s6 = a[6 * n + i];
  double s7 = a[7 * n + i];
  double s8 = a[8 * n + i];
  double s9 = a[9 * n + i];
  double s10 = a[10 * n + i];
  double s11 = a[11 * n + i];
  double r = 0.0;
  r += sines_double_step_smell(s0, 0.5);
  r += sines_double_step_smell(s1, 1.5);
  r += sines_double_step_smell(s2, 2.5);
  r += sines_double_step_smell(s3, 3.5);
  r += sines_double_step_smell(s4, 4.5);
  r += sines_double_step_smell(s5, 5.5);
  r += sines_double_step_smell(s6, 6.5);
  r += sines_double_step_smell(s7, 7.5);
  r += sines_double_step_smell(s8, 8.5);
  r += sines_double_step_smell(s9, 9.5);
  r += sines_double_step_smell(s10, 10.5);
  r += sines_double_step_smell(s11, 11.5);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
  b[6 * n + i] = s6 * r;
  b[7 * n + i] = s7 * r;
  b[8 * n + i] = s8 * r;
  b[9 * n + i] = s9 * r;
  b[10 * n + i] = s10 * r;
  b[11 * n + i] = s11 * r;
}

__device__ __attribute__((noinline)) double sines_double_step_repaired(double x, double k) {
  return sin(x * k) * x + k;
}

__global__ void __launch_bounds__(256) sines_double_repaired(const double* a, double* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s0 = a[0 * n + i];
  double s1 = a[1 * n + i];
  double s2 = a[2 * n + i];
  double s3 = a[3 * n + i];
  double s4 = a[4 * n + i];
  double s5 = a[5 * n + i];
  double s6 = a[6 * n + i];
  double s7 = a[7 * n + i];
  double s8 = a[8 * n + i];
  double s9 = a[9 * n + i];
  double s10 = a[10 * n + i];
  double s11 = a[11 * n + i];
  double r = 0.0;
  r += sines_double_step_repaired(s0, 0.5);
  r += sines_double_step_repaired(s1, 1.5);
  r += sines_double_step_repaired(s2, 2.5);
  r += sines_double_step_repaired(s3, 3.5);
  r += sines_double_step_repaired(s4, 4.5);
  r += sines_double_step_repaired(s5, 5.5);
  r += sines_double_step_repaired(s6, 6.5);
  r += sines_double_step_repaired(s7, 7.5);
  r += sines_double_step_repaired(s8, 8.5);
  r += sines_double_step_repaired(s9, 9.5);
  r += sines_double_step_repaired(s10, 10.5);
  r += sines_double_step_repaired(s11, 11.5);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
  b[6 * n + i] = s6 * r;
  b[7 * n + i] = s7 * r;
  b[8 * n + i] = s8 * r;
  b[9 * n + i] = s9 * r;
  b[10 * n + i] = s10 * r;
  b[11 * n + i] = s11 * r;
}

// Four of them.
__device__ float four_sines_step_smell(float x, float k) {
  return sinf(x * k) * x + k;
}

// time: four_sines threads=4194304 size=100663296 n=4194304 t=1
__global__ void __launch_bounds__(256) four_sines_smell(const float* a, float* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = a[0 * n + i];
  float s1 = a[1 * n + i];
  float s2 = a[2 * n + i];
  float s3 = a[3 * n + i];
  float r = 0.0f;
  r += four_sines_step_smell(s0, 0.5f);
  r += four_sines_step_smell(s1, 1.5f);
  r += four_sines_step_smell(s2, 2.5f);
  r += four_sines_step_smell(s3, 3.5f);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
}

__device__ __attribute__((noinline)) float four_sines_step_repaired(float x, float k) {
  return sinf(x * k) * x + k;
}

__global__ void __launch_bounds__(256) four_sines_repaired(const float* a, float* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = a[0 * n + i];
  float s1 = a[1 * n + i];
  float s2 = a[2 * n + i];
  float s3 = a[3 * n + i];
  float r = 0.0f;
  r += four_sines_step_repaired(s0, 0.5f);
  r += four_sines_step_repaired(s1, 1.5f);
  r += four_sines_step_repaired(s2, 2.5f);
  r += four_sines_step_repaired(s3, 3.5f);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
}

// Six of them.
__device__ float six_sines_step_smell(float x, float k) {
  return sinf(x * k) * x + k;
}

// time: six_sines threads=4194304 size=100663296 n=4194304 t=1
__global__ void __launch_bounds__(256) six_sines_smell(const float* a, float* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = a[0 * n + i];
  float s1 = a[1 * n + i];
  float s2 = a[2 * n + i];
  float s3 = a[3 * n + i];
  float s4 = a[4 * n + i];
  float s5 = a[5 * n + i];
  float r = 0.0f;
  r += six_sines_step_smell(s0, 0.5f);
  r += six_sines_step_smell(s1, 1.5f);
  r += six_sines_step_smell(s2, 2.5f);
  r += six_sines_step_smell(s3, 3.5f);
  r += six_sines_step_smell(s4, 4.5f);
  r += six_sines_step_smell(s5, 5.5f);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
}

__device__ __attribute__((noinline)) float six_sines_step_repaired(float x, float k) {
  return sinf(x * k) * x + k;
}

__global__ void __launch_bounds__(256) six_sines_repaired(const float* a, float* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = a[0 * n + i];
  float s1 = a[1 * n + i];
  float s2 = a[2 * n + i];
  float s3 = a[3 * n + i];
  float s4 = a[4 * n + i];
  float s5 = a[5 * n + i];
  float r = 0.0f;
  r += six_sines_step_repaired(s0, 0.5f);
  r += six_sines_step_repaired(s1, 1.5f);
  r += six_sines_step_repaired(s2, 2.5f);
  r += six_sines_step_repaired(s3, 3.5f);
  r += six_sines_step_repaired(s4, 4.5f);
  r += six_sines_step_repaired(s5, 5.5f);
  b[0 * n + i] = s0 * r;
  b[1 * n + i] = s1 * r;
  b[2 * n + i] = s2 * r;
  b[3 * n + i] = s3 * r;
  b[4 * n + i] = s4 * r;
  b[5 * n + i] = s5 * r;
}

// 24 calls that take an array: outside of the kernel the array needs an address.
__device__ void arrays_step_smell(float* v, float k) {
  for (int e = 0; e < 16; ++e) v[e] = v[e] * k + v[(e + 3) % 16];
}

// time: arrays threads=4194304 size=100663296 n=4194304 t=1
__global__ void __launch_bounds__(256) arrays_smell(const float* a, float* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[16];
  for (int e = 0; e < 16; ++e) v[e] = a[e * n + i];
  arrays_step_smell(v, 0.5f);
  arrays_step_smell(v, 1.5f);
  arrays_step_smell(v, 2.5f);
  arrays_step_smell(v, 3.5f);
  arrays_step_smell(v, 4.5f);
  arrays_step_smell(v, 5.5f);
  arrays_step_smell(v, 6.5f);
  arrays_step_smell(v, 7.5f);
  arrays_step_smell(v, 8.5f);
  arrays_step_smell(v, 9.5f);
  arrays_step_smell(v, 10.5f);
  arrays_step_smell(v, 11.5f);
  arrays_step_smell(v, 12.5f);
  arrays_step_smell(v, 13.5f);
  arrays_step_smell(v, 14.5f);
  arrays_step_smell(v, 15.5f);
  arrays_step_smell(v, 16.5f);
  arrays_step_smell(v, 17.5f);
  arrays_step_smell(v, 18.5f);
  arrays_step_smell(v, 19.5f);
  arrays_step_smell(v, 20.5f);
  arrays_step_smell(v, 21.5f);
  arrays_step_smell(v, 22.5f);
  arrays_step_smell(v, 23.5f);
  for (int e = 0; e < 16; ++e) b[e * n + i] = v[e];
}

__device__ __attribute__((noinline)) void arrays_step_repaired(float* v, float k) {
  for (int e = 0; e < 16; ++e) v[e] = v[e] * k + v[(e + 3) % 16];
}

__global__ void __launch_bounds__(256) arrays_repaired(const float* a, float* b, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[16];
  for (int e = 0; e < 16; ++e) v[e] = a[e * n + i];
  arrays_step_repaired(v, 0.5f);
  arrays_step_repaired(v, 1.5f);
  arrays_step_repaired(v, 2.5f);
  arrays_step_repaired(v, 3.5f);
  arrays_step_repaired(v, 4.5f);
  arrays_step_repaired(v, 5.5f);
  arrays_step_repaired(v, 6.5f);
  arrays_step_repaired(v, 7.5f);
  arrays_step_repaired(v, 8.5f);
  arrays_step_repaired(v, 9.5f);
  arrays_step_repaired(v, 10.5f);
  arrays_step_repaired(v, 11.5f);
  arrays_step_repaired(v, 12.5f);
  arrays_step_repaired(v, 13.5f);
  arrays_step_repaired(v, 14.5f);
  arrays_step_repaired(v, 15.5f);
  arrays_step_repaired(v, 16.5f);
  arrays_step_repaired(v, 17.5f);
  arrays_step_repaired(v, 18.5f);
  arrays_step_repaired(v, 19.5f);
  arrays_step_repaired(v, 20.5f);
  arrays_step_repaired(v, 21.5f);
  arrays_step_repaired(v, 22.5f);
  arrays_step_repaired(v, 23.5f);
  for (int e = 0; e < 16; ++e) b[e * n + i] = v[e];
}
