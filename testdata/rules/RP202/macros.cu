// Double constants in macros with arguments: an expression is what its macro stands for.
#define HALF(x) (0.5 * (x) * (x))
#define TWICE(x) (2.0 * (x))
#define LIMIT(x) ((x) < 1.0 ? (x) : 1.0)
#define KINETIC(m, v) HALF(v) * (m)

__global__ void used(float* o, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) s += HALF(a[i + k]);  // expect: RP202 warning @36 "because of `HALF`: 3 FP64 operations"
  o[i] = s;
}

__global__ void within(float* o, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) s = s + KINETIC(a[i], a[i + k]);  // expect: RP202 warning @35 "because of `KINETIC`: 4 FP64"
  o[i] = s;
}

__global__ void turned_back(float* o, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) {
    float s = TWICE(a[i + k]), t = LIMIT(a[i]);  // one operation that is rounded at once, and a choice
    o[i + k] = s + t;
  }
}
