// targets: gfx90a, gfx1100, sm_90
struct Bins {
  float count[16];
};

struct Taps {
  float weight[20];
};

struct Nodes {
  double at[16];
  int many;
};

// A histogram that begins with what the host gives: the argument is its memory.
// time: tally threads=1048576 size=16777216 m=16 n=1048576
__global__ void tally_smell(Bins bins, const int* key, float* out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < m; ++k) bins.count[key[k * n + i] & 15] += 1.0f;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += bins.count[k] * bins.count[k];
  out[i] = s;
}

__global__ void tally_repaired(const Bins bins, const int* key, float* out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mine[16];
  for (int k = 0; k < 16; ++k) mine[k] = bins.count[k];
  for (int k = 0; k < m; ++k) {
    int j = key[k * n + i] & 15;
    for (int e = 0; e < 16; ++e) mine[e] += e == j ? 1.0f : 0.0f;
  }
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += mine[k] * mine[k];
  out[i] = s;
}

// One element is overwritten, another is read: on NVIDIA two selects, on AMD a copy of everything.
// time: patch threads=4194304
__global__ void patch_smell(Bins bins, const int* key, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bins.count[2] += i;
  out[i] = bins.count[key[i] & 15];
}

__global__ void patch_repaired(const Bins bins, const int* key, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = key[i] & 15;
  float x = bins.count[j];
  out[i] = j == 2 ? x + i : x;
}

// Only read, but at an index of the loop: nvcc copies what has up to 128 bytes.
__global__ void filter_smell(Taps taps, const float* a, float* out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += taps.weight[k] * a[k * n + i];
  out[i] = s;
}

__global__ void filter_repaired(const Taps* __restrict__ taps, const float* a, float* out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += taps->weight[k] * a[k * n + i];
  out[i] = s;
}

// A function that is not inlined wants the address of the whole.
// time: handed threads=4194304
__device__ __attribute__((noinline)) double interpolate(const Nodes& nodes, int i) {
  return nodes.at[i & 15] * nodes.many;
}

__device__ __attribute__((noinline)) double scaled(double at, int many) {
  return at * many;
}

__global__ void handed_smell(Nodes nodes, const int* key, double* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = interpolate(nodes, key[i]);
}

__global__ void handed_repaired(Nodes nodes, const int* key, double* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = scaled(nodes.at[key[i] & 15], nodes.many);
}

// Changed at constant indices and nowhere else: registers.
// known miss: shifted sm_90: no memory and no loop in either, 1.18 x by six registers and fewer instructions
// time: shifted threads=4194304
__global__ void shifted_smell(Bins bins, const float* a, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bins.count[3] += a[i];
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) s += bins.count[k] * bins.count[k];
  out[i] = s;
}

__global__ void shifted_repaired(const Bins bins, const float* a, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < 16; ++k) {
    float x = bins.count[k] + (k == 3 ? a[i] : 0.0f);
    s += x * x;
  }
  out[i] = s;
}
