// targets: sm_90
struct Rows {
  const float* at[8];
  int many;
};

struct Strides {
  int dims[10];
  int strides[10];
  int many;

  __device__ int offset(int i) const {
    int found = 0;
    for (int k = 0; k < many; ++k) {
      found += i % dims[k] * strides[k];
      i /= dims[k];
    }
    return found;
  }
};

struct Large {
  float weight[40];
};

// Pointers of several arrays, one after the other: the same for all threads.
__global__ void rows_smell(Rows rows, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < rows.many; ++k) s += rows.at[k][i];
  out[i] = s;
}

__global__ void rows_repaired(const __grid_constant__ Rows rows, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < rows.many; ++k) s += rows.at[k][i];
  out[i] = s;
}

// The strides of a tensor, read by a member function.
__global__ void strides_smell(Strides shape, const float* a, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[shape.offset(i)];
}

__global__ void strides_repaired(const __grid_constant__ Strides shape, const float* a, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[shape.offset(i)];
}

// `const` alone changes nothing.
__global__ void constant_smell(const Rows rows, float* out, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = rows.at[first][i] + rows.at[rows.many - 1][i];
}

__global__ void constant_repaired(const __grid_constant__ Rows rows, float* out, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = rows.at[first][i] + rows.at[rows.many - 1][i];
}

// Above 128 bytes nvcc makes no copy.
__global__ void large_smell(Large taps, const float* a, float* out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += taps.weight[k] * a[k * n + i];
  out[i] = s;
}

__global__ void large_repaired(const __grid_constant__ Large taps, const float* a, float* out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < m; ++k) s += taps.weight[k] * a[k * n + i];
  out[i] = s;
}
