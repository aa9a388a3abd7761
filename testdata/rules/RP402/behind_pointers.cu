// Two halves of an array that pointers stand for by turns, in loops that are not copied: compiled, it is in memory (a
// frame of 512 bytes on sm_90, 528 bytes of scratch on gfx90a), and takes no registers.
#include <cuda_runtime.h>

__constant__ float weights[12000];

__device__ inline void forward(const float* w, const float* in, int inputs, int wide, int layers, float* scratch,
                               float* out) {
  float* from = scratch;
  float* to = scratch + wide;
  int at = inputs * wide;
  for (int j = 0; j < wide; ++j) {
    float sum = w[at + j];
    for (int i = 0; i < inputs; ++i) sum += w[i * wide + j] * in[i];
    from[j] = fmaxf(sum, 0.0f);
  }
  at += wide;
  for (int l = 1; l < layers; ++l) {
    for (int j = 0; j < wide; ++j) {
      float sum = w[at + wide * wide + j];
      for (int i = 0; i < wide; ++i) sum += w[at + i * wide + j] * from[i];
      to[j] = fmaxf(sum, 0.0f);
    }
    at += wide * wide + wide;
    float* kept = from;
    from = to;
    to = kept;
  }
  float sum = w[at + wide];
  for (int i = 0; i < wide; ++i) sum += w[at + i] * from[i];
  *out = sum;
}

__device__ float field(float x, float y, int layers) {
  float in[2] = {0.2f * x, 0.2f * y}, out;
  float scratch[128];
  forward(weights, in, 2, 64, layers, scratch, &out);
  return out;
}

__global__ void __launch_bounds__(128) constant_depth(float* cost, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i * 0.1f, y = 0.0f, c = 0.0f;
  for (int t = 0; t < n; ++t) {
    x += dt * 0.5f;
    y += dt;
    c += field(x, y, 3);
  }
  cost[i] = c;
}

__global__ void __launch_bounds__(128) any_depth(float* cost, int n, float dt, int layers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i * 0.1f, y = 0.0f, c = 0.0f;
  for (int t = 0; t < n; ++t) {
    x += dt * 0.5f;
    y += dt;
    c += field(x, y, layers);
  }
  cost[i] = c;
}

// A stack behind a pointer that moves with the data. nvcc: a frame of 256 bytes.
__device__ unsigned found(const uint2* nodes, const float* boxes, float x) {
  unsigned stack[64];  // expect: RP403 "in registers only if selecting"
  unsigned* top = stack;
  *top++ = 0;
  unsigned n = 0;
  do {
    const uint2 children = nodes[*--top];
    if (boxes[children.x] > x) *top++ = children.x;
    if (boxes[children.y] > x) *top++ = children.y;
    ++n;
  } while (stack < top);
  return n;
}

__global__ void __launch_bounds__(128) searched(const uint2* nodes, const float* boxes, const float* at, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = found(nodes, boxes, at[i]);
}
