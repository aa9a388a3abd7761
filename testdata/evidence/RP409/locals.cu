// targets: gfx90a, gfx1100, sm_90
// known miss: block sm_90: the array is in registers; nvcc makes 48 loads of a byte of the memcpy, which is another smell
// A function that is not inlined wants an address.
__device__ __attribute__((noinline)) float energy(const float* v) {
  float s = 0.0f;
  for (int j = 0; j < 12; ++j) s += v[j] * v[11 - j];
  return s;
}

__device__ float energy_inlined(const float* v) {
  float s = 0.0f;
  for (int j = 0; j < 12; ++j) s += v[j] * v[11 - j];
  return s;
}

// time: handed threads=1048576 size=12582912 n=1048576
__global__ void handed_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  for (int j = 0; j < 12; ++j) v[j] = a[j * n + i];
  b[i] = energy(v);
}

__global__ void handed_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  for (int j = 0; j < 12; ++j) v[j] = a[j * n + i];
  b[i] = energy_inlined(v);
}

// Two buffers behind pointers that a run-time loop swaps.
// time: swapped threads=1048576 size=12582912 m=16 n=1048576
__global__ void swapped_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[12], y[12];
  for (int j = 0; j < 12; ++j) x[j] = a[j * n + i];
  float* from = x;
  float* to = y;
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < 12; ++j) to[j] = 0.5f * from[j] + 0.5f * from[(j + 1) % 12];
    float* t = from;
    from = to;
    to = t;
  }
  float s = 0.0f;
  for (int j = 0; j < 12; ++j) s += from[j];
  b[i] = s;
}

__global__ void swapped_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[12], y[12];
  for (int j = 0; j < 12; ++j) x[j] = a[j * n + i];
  for (int k = 0; k < m; ++k) {
    for (int j = 0; j < 12; ++j) y[j] = 0.5f * x[j] + 0.5f * x[(j + 1) % 12];
    for (int j = 0; j < 12; ++j) x[j] = y[j];
  }
  float s = 0.0f;
  for (int j = 0; j < 12; ++j) s += x[j];
  b[i] = s;
}

// The same in a loop of three iterations, which is unrolled: both pointers are known everywhere.
// time: unrolled threads=1048576 size=12582912 n=1048576
__global__ void unrolled_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[12], y[12];
  for (int j = 0; j < 12; ++j) x[j] = a[j * n + i];
  float* from = x;
  float* to = y;
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 12; ++j) to[j] = 0.5f * from[j] + 0.5f * from[(j + 1) % 12];
    float* t = from;
    from = to;
    to = t;
  }
  float s = 0.0f;
  for (int j = 0; j < 12; ++j) s += from[j];
  b[i] = s;
}

__global__ void unrolled_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x[12], y[12];
  for (int j = 0; j < 12; ++j) x[j] = a[j * n + i];
  for (int k = 0; k < 3; ++k) {
    for (int j = 0; j < 12; ++j) y[j] = 0.5f * x[j] + 0.5f * x[(j + 1) % 12];
    for (int j = 0; j < 12; ++j) x[j] = y[j];
  }
  float s = 0.0f;
  for (int j = 0; j < 12; ++j) s += x[j];
  b[i] = s;
}

// As many elements as an argument says.
// time: tail threads=1048576 size=12582912 m=7
__global__ void tail_smell(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  for (int j = 0; j < 12; ++j) v[j] = 0.0f;
  memcpy(v, a + 12 * i, m * sizeof(float));
  float s = 0.0f;
  for (int j = 0; j < 12; ++j) s += v[j] * v[11 - j];
  b[i] = s;
}

__global__ void tail_repaired(const float* a, float* b, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  for (int j = 0; j < 12; ++j) v[j] = j < m ? a[12 * i + j] : 0.0f;
  float s = 0.0f;
  for (int j = 0; j < 12; ++j) s += v[j] * v[11 - j];
  b[i] = s;
}

// All of them: a constant size is no address.
// time: block threads=1048576 size=12582912
__global__ void block_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  memcpy(v, a + 12 * i, sizeof(v));
  float s = 0.0f;
  for (int j = 0; j < 12; ++j) s += v[j] * v[11 - j];
  b[i] = s;
}

__global__ void block_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  for (int j = 0; j < 12; ++j) v[j] = a[12 * i + j];
  float s = 0.0f;
  for (int j = 0; j < 12; ++j) s += v[j] * v[11 - j];
  b[i] = s;
}

// One of two functions, called through a pointer.
// time: chosen threads=1048576 size=12582912 m=3 n=1048576
__device__ float first_of(const float* v) { return v[0] * v[3] + v[5]; }
__device__ float second_of(const float* v) { return v[1] + v[2] * v[7]; }

__global__ void chosen_smell(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  for (int j = 0; j < 12; ++j) v[j] = a[j * n + i];
  float (*pick)(const float*) = m > 3 ? first_of : second_of;
  b[i] = pick(v);
}

__global__ void chosen_repaired(const float* a, float* b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[12];
  for (int j = 0; j < 12; ++j) v[j] = a[j * n + i];
  b[i] = m > 3 ? first_of(v) : second_of(v);
}
