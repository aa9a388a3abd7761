// targets: gfx90a, gfx1100, sm_90
// Plain arithmetic. A loop over registers: seven FP64 operations, one of them a division, in each pass.
// time: spiral threads=1048576 steps=128 h=0.01
__global__ void spiral_smell(const float* a, float* b, int steps, float h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], v = 1.0f;
  for (int k = 0; k < steps; ++k) {
    float angle = 0.5 * h * x;
    float bent = 2.0 * angle / (1.0 + angle * angle);
    v -= bent * x / 3.0;
    x += h * v;
  }
  b[i] = x;
}

__global__ void spiral_repaired(const float* a, float* b, int steps, float h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i], v = 1.0f;
  for (int k = 0; k < steps; ++k) {
    float angle = 0.5f * h * x;
    float bent = 2.0f * angle / (1.0f + angle * angle);
    v -= bent * x / 3.0f;
    x += h * v;
  }
  b[i] = x;
}

// One operation in a pass, with a value from the cache.
// time: weighted threads=1048576 n=128
// timed elsewhere: weighted gfx1100: FP64 runs at 1/32 of FP32's rate, at 1/2 on the H200
__global__ void weighted_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s += 0.3 * a[(i & 1023) + k];
  b[i] = s;
}

__global__ void weighted_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < n; ++k) s += 0.3f * a[(i & 1023) + k];
  b[i] = s;
}

// One operation for an element that comes from memory and goes there.
// time: scaled threads=16777216
__global__ void scaled_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0.3 * a[i];
}

__global__ void scaled_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 0.3f * a[i];
}

// Four operations for an element.
// time: cubic threads=16777216
__global__ void cubic_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = x * (1.0 + x * (0.5 + x * 0.25));
}

__global__ void cubic_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  b[i] = x * (1.0f + x * (0.5f + x * 0.25f));
}

// Eight operations for an element, two of them divisions.
// time: ratio threads=16777216
__global__ void ratio_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  float u = (1.0 + 0.5 * x) / (1.0 + 0.25 * x * x);
  b[i] = u / (1.0 + u);
}

__global__ void ratio_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  float u = (1.0f + 0.5f * x) / (1.0f + 0.25f * x * x);
  b[i] = u / (1.0f + u);
}

// A comparison with a constant that no float holds.
// time: clipped threads=1048576 n=128
// timed elsewhere: clipped gfx1100: FP64 runs at 1/32 of FP32's rate, at 1/2 on the H200; llvm-mca: 397 and 327 cycles a pass
__global__ void clipped_smell(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    float x = a[(i & 1023) + k];
    if (x > 0.9) s += x;
  }
  b[i] = s;
}

__global__ void clipped_repaired(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < n; ++k) {
    float x = a[(i & 1023) + k];
    if (x > 0.9f) s += x;
  }
  b[i] = s;
}

// Single operations that are rounded at once, with constants that a float holds: turned back.
// time: rounded threads=16777216
__global__ void rounded_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  float u = x * x + 1.0;
  float v = u / 3.0;
  b[i] = v > 0.5 ? 1.0 - v : v * 0.5;
}

__global__ void rounded_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  float u = x * x + 1.0f;
  float v = u / 3.0f;
  b[i] = v > 0.5f ? 1.0f - v : v * 0.5f;
}
