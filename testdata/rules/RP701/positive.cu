// Calls that nvcc cannot resolve.
// targets: sm_90

__device__ float smooth(float x) { return x * x; }
__device__ float sharp(float x) { return 3.0f * x; }

__global__ void __launch_bounds__(256) shade(const float* a, float* b, int mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float (*filter)(float) = mode == 1 ? smooth : sharp;
  b[i] = filter(a[i]);  // expect: RP701 warning @10 "`filter` may be `smooth` and `sharp`" "6 to 7 x"
}

struct Shape {
  __device__ virtual float area(float x) const = 0;
};
struct Square : Shape {
  float scale;
  __device__ float area(float x) const override { return x * x * scale; }
};

__global__ void __launch_bounds__(256) areas(Shape** shapes, const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = shapes[i]->area(a[i]);  // expect: RP701 warning @10 "`area` is a virtual function" "`shapes[i]`"
}

__global__ void __launch_bounds__(256) repeated(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square;
  square.scale = a[i];
  const Shape* shape = &square;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = 0.5f * s + shape->area(a[i + k]);  // expect: RP701 warning @46 "6 to 10 x"
  b[i] = s;
}

__device__ float tree(const int* left, const int* right, const float* value, int node) {
  if (node < 0) return 0.0f;
  float sum = tree(left, right, value, left[node]);  // expect: RP701 warning @15 "`tree` calls itself" "51 x"
  return value[node] + sum + tree(left, right, value, right[node]);
}

__global__ void __launch_bounds__(256) sums(const int* left, const int* right, const float* value, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = tree(left, right, value, i);
}

// One block: a hint.
__global__ void one(const int* left, const int* right, const float* value, float* b, int mode) {
  float (*filter)(float) = mode == 1 ? smooth : sharp;
  b[threadIdx.x] = filter(value[threadIdx.x]);  // expect: RP701 hint @20
}

void run(const int* left, const int* right, const float* value, float* b, int mode) {
  one<<<1, 1>>>(left, right, value, b, mode);
}

__global__ void handed(float* a, float (*op)(float)) {
  for (int i = 0; i < 9; ++i) a[i] = op(a[i]);  // expect: RP701 warning "`op` is a function pointer"
}
