// launch: block=128
// time: passes threads=262144 size=25165824 n=262144 m=8
// time: turns threads=4194304 size=4194368
// Four tables of 96 sums each. The repair: a quarter of them a pass.
__global__ void __launch_bounds__(128) passes_smell(const float* __restrict__ a, float* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s[96], t[96], u[96], v[96];
#pragma unroll
  for (int k = 0; k < 96; ++k) {
    s[k] = a[i + k];
    t[k] = a[i + k + 7];
    u[k] = a[i + k + 9];
    v[k] = a[i + k + 11];
  }
#pragma unroll 1
  for (int j = 0; j < m; ++j) {
    float x = a[j * 64 + i];
#pragma unroll
    for (int k = 0; k < 96; ++k) {
      s[k] = s[k] * x + t[k];
      t[k] = t[k] - u[k] * x;
      u[k] = u[k] * x - v[k];
      v[k] = v[k] * x + s[k];
    }
  }
#pragma unroll
  for (int k = 0; k < 96; ++k) b[k * n + i] = s[k] + t[k] * u[k] - v[k];
}

__global__ void __launch_bounds__(128) passes_repaired(const float* __restrict__ a, float* __restrict__ b, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int part = 0; part < 96; part += 24) {
    float s[24], t[24], u[24], v[24];
#pragma unroll
    for (int k = 0; k < 24; ++k) {
      s[k] = a[i + part + k];
      t[k] = a[i + part + k + 7];
      u[k] = a[i + part + k + 9];
      v[k] = a[i + part + k + 11];
    }
#pragma unroll 1
    for (int j = 0; j < m; ++j) {
      float x = a[j * 64 + i];
#pragma unroll
      for (int k = 0; k < 24; ++k) {
        s[k] = s[k] * x + t[k];
        t[k] = t[k] - u[k] * x;
        u[k] = u[k] * x - v[k];
      v[k] = v[k] * x + s[k];
      }
    }
#pragma unroll
    for (int k = 0; k < 24; ++k) b[(part + k) * n + i] = s[k] + t[k] * u[k] - v[k];
  }
}

// Two sines of large arguments. The repair: arguments in half turns, which are reduced exactly and without memory.
__global__ void turns_smell(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = sinf(a[i] * 6.2831853f) + cosf(a[i + 64] * 6.2831853f);
}

__global__ void turns_repaired(const float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = sinpif(a[i] * 2.0f) + cospif(a[i + 64] * 2.0f);
}

// A struct by value, of which a part or one elsewhere is picked by its address. The repair: a reference to the struct.
struct Part {
  float x, y;
};
struct Parts {
  Part first[20];
  const Part* more;
};
__device__ float picked_smell_of(const Parts p, int k) {
  const Part& one = k < 20 ? p.first[k] : p.more[k - 20];
  return one.x * one.y;
}

__global__ void picked_smell(const Parts p, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = picked_smell_of(p, blockIdx.x & 31);
}

__device__ float picked_repaired_of(const Parts& p, int k) {
  const Part& one = k < 20 ? p.first[k] : p.more[k - 20];
  return one.x * one.y;
}

__global__ void picked_repaired(const Parts p, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = picked_repaired_of(p, blockIdx.x & 31);
}
