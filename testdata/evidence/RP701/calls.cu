// targets: gfx90a, gfx1100, sm_90
// time: chosen threads=4194304 size=8388608 mode=1 m=32
// time: table threads=4194304 size=8388608 m=32
// time: shapes threads=4194304 size=8388608 m=32
// time: halving threads=1048576 size=8388608 depth=6
// time: held threads=4194304 size=8388608 m=32
// time: local threads=4194304 size=8388608 m=32
// time: straight threads=4194304 size=8388608
// time: once threads=4194304 size=8388608 mode=1
// time: tail threads=4194304 size=8388608 n=60
__device__ float smooth(float x) { return x * x + 1.0f; }
__device__ float sharp(float x) { return x * 3.0f - 1.0f; }
__device__ float flat(float x) { return 0.5f * x; }

// One of two functions, the same for all threads.
__global__ void chosen_smell(const float* a, float* b, int mode, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float (*filter)(float) = mode == 1 ? smooth : sharp;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = 0.5f * s + filter(a[i + k]);
  b[i] = s;
}

__global__ void chosen_repaired(const float* a, float* b, int mode, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = 0.5f * s + (mode == 1 ? smooth(a[i + k]) : sharp(a[i + k]));
  b[i] = s;
}

// A table of functions.
typedef float (*Filter)(float);
__device__ Filter filters[3] = {smooth, sharp, flat};

__global__ void table_smell(const int* kind, const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int which = kind[i] % 3;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = 0.5f * s + filters[which](a[i + k]);
  b[i] = s;
}

__global__ void table_repaired(const int* kind, const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int which = kind[i] % 3;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) {
    float x = a[i + k];
    s = 0.5f * s + (which == 0 ? smooth(x) : which == 1 ? sharp(x) : flat(x));
  }
  b[i] = s;
}

// One of two classes.
struct Shape {
  __device__ virtual float area(float x) const = 0;
};
struct Square : Shape {
  float scale;
  __device__ Square(float s) : scale(s) {}
  __device__ float area(float x) const override { return x * x * scale; }
};
struct Disc : Shape {
  float scale;
  __device__ Disc(float s) : scale(s) {}
  __device__ float area(float x) const override { return 3.14159f * x * scale; }
};

__global__ void shapes_smell(const int* kind, const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square(a[i]);
  Disc disc(2.0f);
  const Shape* shape = kind[i] > 31 ? static_cast<const Shape*>(&square) : static_cast<const Shape*>(&disc);
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = 0.5f * s + shape->area(a[i + k]);
  b[i] = s;
}

__global__ void shapes_repaired(const int* kind, const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square(a[i]);
  Disc disc(2.0f);
  bool first = kind[i] > 31;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = 0.5f * s + (first ? square.area(a[i + k]) : disc.area(a[i + k]));
  b[i] = s;
}

// A sum of 2^depth values by halves.
__device__ float halves(const float* a, int depth) {
  if (depth == 0) return a[0];
  return halves(a, depth - 1) + halves(a + (1 << (depth - 1)), depth - 1);
}

__global__ void halving_smell(const float* a, float* b, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = halves(a + i, depth);
}

__global__ void halving_repaired(const float* a, float* b, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < 1 << depth; ++k) s += a[i + k];
  b[i] = s;
}

// One function only, handed to another one: inlined.
__device__ float applied(Filter filter, float x) { return filter(x); }

__global__ void held_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Filter filter = smooth;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = 0.5f * s + filter(a[i + k]) + applied(sharp, s);
  b[i] = s;
}

__global__ void held_repaired(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = 0.5f * s + smooth(a[i + k]) + sharp(s);
  b[i] = s;
}

// A local object behind a reference to its base, in a loop: the first call may change what it is.
__device__ float measured(const Shape& shape, float x) { return shape.area(x); }

__global__ void local_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square(a[i]);
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = 0.5f * s + measured(square, a[i + k]);
  b[i] = s;
}

__global__ void local_repaired(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square(a[i]);
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s = 0.5f * s + square.area(a[i + k]);
  b[i] = s;
}

// Recursion in tail position is a loop.
__device__ int divisor(int p, int q) { return q == 0 ? p : divisor(q, p % q); }

__global__ void tail_smell(const int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = divisor(a[i], n);
}

__global__ void tail_repaired(const int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = a[i], q = n;
  while (q != 0) {
    int rest = p % q;
    p = q;
    q = rest;
  }
  b[i] = p;
}

// So is a call that nothing but `return;` follows.
__device__ void settle(const int* a, int* found, int at, int step) {
  *found = a[at] + step;
  if (*found < 0) {
    if (step < 64) {
      settle(a, found, at + step, step + 1);
      return;
    }
    *found = 0;
    return;
  }
  *found += at;
}

__global__ void retry_smell(const int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int found;
  settle(a, &found, i, n);
  b[i] = found;
}

__global__ void retry_repaired(const int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int found, at = i, step = n;
  while ((found = a[at] + step) < 0 && step < 64) {
    at += step;
    ++step;
  }
  b[i] = found < 0 ? 0 : found + at;
}

// One call of one of two functions.
__global__ void once_smell(const float* a, float* b, int mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float (*filter)(float) = mode == 1 ? smooth : sharp;
  b[i] = filter(a[i]);
}

__global__ void once_repaired(const float* a, float* b, int mode) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = mode == 1 ? smooth(a[i]) : sharp(a[i]);
}

// The object without a loop: its class is known.
__global__ void straight_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square(a[i]);
  b[i] = measured(square, a[i + 1]) + measured(square, a[i + 2]);
}

__global__ void straight_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Square square(a[i]);
  b[i] = square.area(a[i + 1]) + square.area(a[i + 2]);
}
